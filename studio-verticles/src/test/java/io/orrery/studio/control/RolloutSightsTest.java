package io.orrery.studio.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Says when the candidate of a rollout can answer. */
class RolloutSightsTest {
  private static final WorkloadRef HELLO = WorkloadRef.parse("service/hello");

  private static boolean canAnswer(int step, WorkloadStatus status, long... readyGenerations) {
    List<Replica> replicas = new ArrayList<>();
    for (long generation : readyGenerations) {
      replicas.add(
          new Replica(
              new ReplicaRef(HELLO, generation, replicas.size()),
              ReplicaPhase.READY,
              null,
              Map.of(),
              0,
              null,
              List.of(),
              Instant.EPOCH));
    }
    return RolloutSights.canAnswer(
        new Workloads.Workload(
            HELLO,
            ProjectName.PUBLIC,
            "ann",
            Workloads.HERE,
            2,
            2,
            status,
            null,
            replicas,
            Instant.EPOCH,
            true,
            0,
            null),
        step);
  }

  @Test
  void allOfACandidateAreReadyBeforeItsFirstStep() {
    assertThat(canAnswer(0, WorkloadStatus.READY, 2, 2)).isTrue();
    assertThat(canAnswer(0, WorkloadStatus.STARTING, 2)).isFalse();
    assertThat(canAnswer(0, WorkloadStatus.STOPPED)).isTrue();
  }

  @Test
  void aCandidateThatGetsAnotherReplicaGoesOnAsLongAsOneIsReady() {
    assertThat(canAnswer(1, WorkloadStatus.STARTING, 2)).isTrue();
    assertThat(canAnswer(1, WorkloadStatus.STARTING, 1)).isFalse();
    assertThat(canAnswer(1, WorkloadStatus.DEGRADED, 2)).isTrue();
    assertThat(canAnswer(1, WorkloadStatus.DEGRADED, 1)).isFalse();
    assertThat(canAnswer(1, WorkloadStatus.FAILED, 1)).isFalse();
  }
}
