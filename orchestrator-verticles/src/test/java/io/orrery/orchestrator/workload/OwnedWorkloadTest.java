package io.orrery.orchestrator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shows a workload to users, as its runtime sees it. */
class OwnedWorkloadTest {
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/hello");
  private static final String CLOSED = "its ports are not open at the addresses of the cluster";

  private final OwnedWorkload workload =
      new OwnedWorkload(
          new Want(
              HELLO,
              new ProjectName("vision"),
              "ann",
              "dev",
              1,
              new WorkloadSpec(
                  List.of("serve"),
                  null,
                  null,
                  Map.of(),
                  List.of(),
                  null,
                  Duration.ofMinutes(1),
                  Duration.ofSeconds(10),
                  Resources.UNLIMITED,
                  Mounts.NONE),
              null,
              1,
              null),
          false,
          0,
          Instant.EPOCH);

  private void see(ReplicaPhase phase, @Nullable String reason, @Nullable String fault) {
    Replica replica =
        new Replica(
            new ReplicaRef(HELLO, 1, 0),
            phase,
            reason,
            Map.of(),
            0,
            null,
            List.of(),
            Instant.EPOCH);
    workload.look(new Observation(HELLO, List.of(replica), fault), Instant.EPOCH);
  }

  @Test
  void aFaultOfSomethingBesidesTheReplicasIsShownWhileTheseAreReady() {
    see(ReplicaPhase.READY, null, CLOSED);
    assertThat(workload.view().status()).isEqualTo(WorkloadStatus.DEGRADED);
    assertThat(workload.view().reason()).isEqualTo(CLOSED);

    see(ReplicaPhase.FAILED, "there is no image", CLOSED);
    assertThat(workload.view().status()).isEqualTo(WorkloadStatus.FAILED);
    assertThat(workload.view().reason()).contains("there is no image");

    see(ReplicaPhase.READY, null, null);
    assertThat(workload.view().status()).isEqualTo(WorkloadStatus.READY);
    assertThat(workload.view().reason()).isNull();
  }

  private static Observation seen(ReplicaPhase phase, Map<String, String> endpoints) {
    Replica replica =
        new Replica(
            new ReplicaRef(HELLO, 1, 0), phase, null, endpoints, 0, null, List.of(), Instant.EPOCH);
    return new Observation(HELLO, List.of(replica));
  }

  private boolean isRouteDueAfter(Observation now) {
    workload.look(now, Instant.EPOCH);
    return workload.takeRouteDue();
  }

  @Test
  void itsRouteIsDueAfterEachChangeOfAnAddressAndNotAtOtherLooks() {
    Map<String, String> address = Map.of("http0", "127.0.0.1:4001");
    Observation ready = seen(ReplicaPhase.READY, address);
    assertThat(workload.takeRouteDue()).as("it is new to its owner").isTrue();
    assertThat(workload.takeRouteDue()).isFalse();

    assertThat(isRouteDueAfter(ready)).as("it has got ready").isTrue();
    assertThat(isRouteDueAfter(seen(ReplicaPhase.READY, address))).isFalse();
    assertThat(isRouteDueAfter(seen(ReplicaPhase.READY, Map.of("http0", "127.0.0.1:4002"))))
        .as("it has another address")
        .isTrue();
    assertThat(isRouteDueAfter(seen(ReplicaPhase.BACKOFF, Map.of()))).as("it fell").isTrue();
    assertThat(isRouteDueAfter(new Observation(HELLO, List.of()))).as("it is gone").isTrue();

    workload.change(workload.want());
    assertThat(isRouteDueAfter(new Observation(HELLO, List.of()))).as("it is changed").isTrue();
    assertThat(isRouteDueAfter(new Observation(HELLO, List.of()))).isFalse();
  }

  @Test
  void theRouteOfARemovedOneIsDueUntilALayerWithoutItsReplicaIsStored() {
    Observation ready = seen(ReplicaPhase.READY, Map.of());
    isRouteDueAfter(ready);

    workload.markRemoved();
    assertThat(isRouteDueAfter(ready)).isTrue();
    assertThat(isRouteDueAfter(ready)).as("no layer without it is stored").isTrue();
    workload.published(workload.absent(), 7, null);
    assertThat(isRouteDueAfter(ready)).isFalse();
    // The studio says it again until it is gone.
    workload.markRemoved();
    assertThat(isRouteDueAfter(ready)).isFalse();
    assertThat(workload.toDrain()).extracting(OwnedWorkload.Retiring::without).containsExactly(7L);
  }
}
