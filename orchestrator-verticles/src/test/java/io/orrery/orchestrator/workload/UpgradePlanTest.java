package io.orrery.orchestrator.workload;

import static io.orrery.core.workload.ReplicaPhase.BACKOFF;
import static io.orrery.core.workload.ReplicaPhase.READY;
import static io.orrery.core.workload.ReplicaPhase.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions about a workload while a generation takes over from an earlier one by shares. */
class UpgradePlanTest {
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/hello");

  private static Replica replica(long generation, int ordinal, ReplicaPhase phase) {
    return new Replica(
        new ReplicaRef(HELLO, generation, ordinal),
        phase,
        null,
        Map.of(),
        0,
        null,
        List.of(),
        Instant.EPOCH);
  }

  private static WorkloadPlan plan(@Nullable Integer percent, Replica... replicas) {
    return WorkloadPlan.of(
        3, new Upgrade(1, percent), 1, new Observation(HELLO, List.of(replicas)));
  }

  private static List<String> ids(List<Replica> replicas) {
    return replicas.stream().map(replica -> replica.ref().id()).toList();
  }

  @Test
  void theNewGenerationGetsItsShareAndTheEarlierOneIsKept() {
    WorkloadPlan none = plan(0, replica(1, 0, READY), replica(3, 0, READY));
    assertThat(ids(none.serving())).containsExactly("1-0");
    assertThat(none.candidates()).isEmpty();
    assertThat(none.retiring()).isEmpty();

    WorkloadPlan some = plan(20, replica(1, 0, READY), replica(3, 0, READY));
    assertThat(ids(some.serving())).containsExactly("3-0", "1-0");
    assertThat(ids(some.candidates())).containsExactly("3-0");
    assertThat(some.retiring()).isEmpty();
    assertThat(some.reason()).isNull();

    WorkloadPlan all = plan(100, replica(1, 0, READY), replica(3, 0, READY));
    assertThat(ids(all.serving())).containsExactly("3-0");
    assertThat(ids(all.candidates())).as("counted apart to the end").containsExactly("3-0");
    assertThat(all.retiring()).as("kept warm").isEmpty();

    WorkloadPlan over = plan(null, replica(1, 0, READY), replica(3, 0, READY));
    assertThat(ids(over.serving())).containsExactly("3-0");
    assertThat(ids(over.retiring())).containsExactly("1-0");
  }

  @Test
  void whoCannotAnswerHasNoShare() {
    assertThat(ids(plan(20, replica(1, 0, READY), replica(3, 0, BACKOFF)).serving()))
        .containsExactly("1-0");
    WorkloadPlan fallen = plan(0, replica(1, 0, BACKOFF), replica(3, 0, READY));
    assertThat(ids(fallen.serving())).containsExactly("3-0");
    assertThat(ids(fallen.candidates())).as("counted as the new one").containsExactly("3-0");
    assertThat(fallen.retiring()).as("to go back to").isEmpty();
  }

  @Test
  void aGenerationInBetweenIsRetiredAndServesOnlyWhereTheEarlierOneCannot() {
    WorkloadPlan back =
        plan(null, replica(1, 0, READY), replica(2, 0, READY), replica(3, 0, STARTING));
    assertThat(ids(back.serving())).containsExactly("1-0");
    assertThat(ids(back.retiring())).containsExactly("2-0");

    WorkloadPlan alone =
        plan(null, replica(1, 0, BACKOFF), replica(2, 0, READY), replica(3, 0, STARTING));
    assertThat(ids(alone.serving())).containsExactly("2-0");
    assertThat(alone.retiring()).isEmpty();
  }

  @Test
  void nothingThatServesIsRetiredAndTheEarlierGenerationIsKeptWhileThereIsAShare() {
    Random random = new Random(11);
    for (int round = 0; round < 5_000; round++) {
      List<Replica> replicas = new ArrayList<>();
      for (int generation = 1; generation <= 3; generation++) {
        for (int ordinal = 0; ordinal < random.nextInt(4); ordinal++) {
          ReplicaPhase phase = ReplicaPhase.values()[random.nextInt(ReplicaPhase.values().length)];
          replicas.add(replica(generation, ordinal, phase));
        }
      }
      int wanted = random.nextInt(4);
      Integer percent = random.nextInt(5) == 0 ? null : random.nextInt(101);
      WorkloadPlan plan =
          WorkloadPlan.of(3, new Upgrade(1, percent), wanted, new Observation(HELLO, replicas));

      assertThat(plan.serving()).noneMatch(plan.retiring()::contains);
      assertThat(plan.serving()).allMatch(replica -> replica.phase().isReady());
      assertThat(plan.serving()).containsAll(plan.candidates());
      assertThat(plan.candidates()).allMatch(replica -> replica.ref().generation() == 3);
      boolean anyReady = replicas.stream().anyMatch(replica -> replica.phase().isReady());
      if (wanted > 0 && anyReady) {
        assertThat(plan.serving()).as("round %d", round).isNotEmpty();
      }
      if (wanted > 0 && percent != null) {
        assertThat(plan.retiring()).noneMatch(replica -> replica.ref().generation() == 1);
      }
    }
  }

  @Test
  void aShareIsOfTheRequestsThatAServiceAnswersItself() {
    ObjectNode giver =
        (ObjectNode) Json.parse("{\"name\":\"hello\",\"hold\":{},\"timeout\":\"5s\"}");
    ObjectNode candidate = SharedRoute.candidate(giver, "hello.g3");
    assertThat(candidate).hasToString("{\"name\":\"hello.g3\",\"timeout\":\"5s\"}");
    SharedRoute.give(giver, "hello.g3", 5);
    assertThat(giver.get("split").textValue()).isEqualTo("hello.g3:5%");

    giver.put("split", "a:20%; b:7.5");
    SharedRoute.give(giver, "hello.g3", 5);
    assertThat(giver.get("split").textValue()).isEqualTo("a:20%; b:7.5,hello.g3:3.625%");
    giver.put("split", "a:100%");
    SharedRoute.give(giver, "hello.g3", 5);
    assertThat(giver.get("split").textValue()).isEqualTo("a:100%");
  }

  @Test
  void whoGivesAllAwayHasEndpointsForCopiesAndForOthersThatShareWithIt() {
    Want want =
        new Want(
            HELLO,
            ProjectName.PUBLIC,
            "ann",
            Workloads.HERE,
            3,
            new WorkloadSpec(
                List.of("serve"),
                null,
                null,
                Map.of(),
                List.of(new WorkloadPort("http0", 8080)),
                null,
                Duration.ZERO,
                Duration.ZERO,
                Resources.UNLIMITED,
                Mounts.NONE),
            null,
            1,
            "{\"name\":\"hello\",\"split\":\"a:33.33333%\"}",
            new Upgrade(1, 100));
    Replica next =
        new Replica(
            new ReplicaRef(HELLO, 3, 0),
            READY,
            null,
            Map.of("http0", "127.0.0.1:4003"),
            0,
            null,
            List.of(),
            Instant.EPOCH);

    List<ObjectNode> routes =
        new WorkloadRoute(want).services(plan(100, replica(1, 0, READY), next));

    assertThat(routes.getFirst().get("split").textValue())
        .isEqualTo("a:33.33333%,hello.g3:66.66667%");
    assertThat(routes).allMatch(each -> each.get("endpoints").size() == 1);
  }
}
