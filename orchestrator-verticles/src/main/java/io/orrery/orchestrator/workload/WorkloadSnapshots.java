package io.orrery.orchestrator.workload;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.bus.contract.Workloads.TakeSnapshot;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.function.Function;

/** Keeps the state of a workload as an image: that of its newest replica that is ready. */
final class WorkloadSnapshots {
  private final Function<WorkloadRef, OwnedWorkload> known;
  private final WorkloadPlacement placement;

  /**
   * @param known fails with NotFound
   */
  WorkloadSnapshots(Function<WorkloadRef, OwnedWorkload> known, WorkloadPlacement placement) {
    this.known = known;
    this.placement = placement;
  }

  Future<?> serve(Bus bus) {
    return bus.serve(Workloads.SNAPSHOT, this::take);
  }

  private Future<SnapshotTaken> take(TakeSnapshot asked) {
    OwnedWorkload workload = known.apply(asked.workload());
    if (!workload.view().project().equals(asked.project())) {
      throw new Problem.NotFound("There is no workload %s.".formatted(asked.workload()))
          .toException();
    }
    ReplicaRef replica =
        workload.view().replicas().stream()
            .filter(each -> each.phase().isReady())
            .map(Replica::ref)
            .max(Comparator.naturalOrder())
            .orElseThrow(() ->
                new Problem.Conflict(
                        "%s has no replica that is ready: its state cannot be kept."
                            .formatted(asked.workload()))
                    .toException());
    return placement
        .runtime(workload.want().runtime())
        .snapshot(replica, asked.target(), asked.project());
  }
}
