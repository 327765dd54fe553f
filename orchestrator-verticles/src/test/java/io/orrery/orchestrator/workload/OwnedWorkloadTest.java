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
}
