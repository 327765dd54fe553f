package io.orrery.orchestrator.workload;

import static io.orrery.core.workload.ReplicaPhase.BACKOFF;
import static io.orrery.core.workload.ReplicaPhase.FAILED;
import static io.orrery.core.workload.ReplicaPhase.READY;
import static io.orrery.core.workload.ReplicaPhase.STARTING;
import static io.orrery.core.workload.ReplicaPhase.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Decisions about a workload from what is wanted and what is there. */
class WorkloadPlanTest {
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/hello");

  private static Replica replica(long generation, int ordinal, ReplicaPhase phase) {
    return new Replica(
        new ReplicaRef(HELLO, generation, ordinal),
        phase,
        phase == READY ? null : "it is " + phase,
        Map.of(),
        0,
        null,
        List.of(),
        Instant.EPOCH);
  }

  private static WorkloadPlan plan(long generation, int wanted, Replica... replicas) {
    return WorkloadPlan.of(generation, null, wanted, new Observation(HELLO, List.of(replicas)));
  }

  private static List<String> ids(List<Replica> replicas) {
    return replicas.stream().map(replica -> replica.ref().id()).toList();
  }

  @Test
  void allThatIsReadyServes() {
    WorkloadPlan plan = plan(1, 2, replica(1, 0, READY), replica(1, 1, READY));

    assertThat(plan.status()).isEqualTo(WorkloadStatus.READY);
    assertThat(plan.reason()).isNull();
    assertThat(ids(plan.serving())).containsExactly("1-0", "1-1");
    assertThat(plan.retiring()).isEmpty();
  }

  @Test
  void anOlderGenerationServesUntilTheNewOneIsReady() {
    WorkloadPlan plan =
        plan(
            2,
            2,
            replica(1, 0, READY),
            replica(1, 1, READY),
            replica(2, 0, READY),
            replica(2, 1, STARTING));

    assertThat(plan.status()).isEqualTo(WorkloadStatus.STARTING);
    assertThat(ids(plan.serving())).containsExactly("2-0", "1-0", "1-1");
    assertThat(plan.retiring()).isEmpty();
    assertThat(plan.reason()).contains("2-1").contains("generation 1 goes on serving");

    WorkloadPlan after =
        plan(
            2,
            2,
            replica(1, 0, READY),
            replica(1, 1, BACKOFF),
            replica(2, 0, READY),
            replica(2, 1, READY));
    assertThat(after.status()).isEqualTo(WorkloadStatus.READY);
    assertThat(ids(after.serving())).containsExactly("2-0", "2-1");
    assertThat(ids(after.retiring())).containsExactly("1-0", "1-1");
  }

  @Test
  void aGenerationThatFailsGetsNoRequestAndTheOneBeforeStays() {
    WorkloadPlan plan = plan(2, 1, replica(1, 0, READY), replica(2, 0, BACKOFF));

    assertThat(plan.status()).isEqualTo(WorkloadStatus.DEGRADED);
    assertThat(ids(plan.serving())).containsExactly("1-0");
    assertThat(plan.retiring()).isEmpty();
  }

  @Test
  void withFewerReplicasTheWorstGoFirst() {
    WorkloadPlan plan =
        plan(1, 2, replica(1, 0, BACKOFF), replica(1, 1, READY), replica(1, 2, READY));

    assertThat(ids(plan.serving())).containsExactly("1-1", "1-2");
    assertThat(ids(plan.retiring())).containsExactly("1-0");
    assertThat(plan.status()).isEqualTo(WorkloadStatus.READY);
  }

  @Test
  void theReasonIsThatOfTheWorstReplica() {
    WorkloadPlan plan =
        plan(1, 3, replica(1, 0, STARTING), replica(1, 1, FAILED), replica(1, 2, BACKOFF));

    assertThat(plan.status()).isEqualTo(WorkloadStatus.FAILED);
    assertThat(plan.reason()).isEqualTo("replica 1-1: it is FAILED");
  }

  @Test
  void noReplicaIsWanted() {
    assertThat(plan(1, 0).status()).isEqualTo(WorkloadStatus.STOPPED);
    WorkloadPlan ending = plan(2, 0, replica(1, 0, READY), replica(2, 0, STOPPING));
    assertThat(ending.status()).isEqualTo(WorkloadStatus.STOPPING);
    assertThat(ending.serving()).isEmpty();
    assertThat(ids(ending.retiring())).containsExactly("1-0");
  }

  @Test
  void nothingThatServesIsRetiredAndNothingServesThatIsNotReady() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      List<Replica> replicas = new ArrayList<>();
      for (int generation = 1; generation <= 3; generation++) {
        for (int ordinal = 0; ordinal < random.nextInt(4); ordinal++) {
          ReplicaPhase phase = ReplicaPhase.values()[random.nextInt(ReplicaPhase.values().length)];
          replicas.add(replica(generation, ordinal, phase));
        }
      }
      int wanted = random.nextInt(4);
      WorkloadPlan plan = WorkloadPlan.of(3, null, wanted, new Observation(HELLO, replicas));

      assertThat(plan.serving()).noneMatch(plan.retiring()::contains);
      assertThat(plan.serving()).allMatch(replica -> replica.phase().isReady());
      boolean anyReady = replicas.stream().anyMatch(replica -> replica.phase().isReady());
      if (wanted > 0 && anyReady) {
        assertThat(plan.serving()).as("round %d", round).isNotEmpty();
      }
      assertThat(plan.retiring()).noneMatch(replica -> replica.phase() == STOPPING);
    }
  }
}
