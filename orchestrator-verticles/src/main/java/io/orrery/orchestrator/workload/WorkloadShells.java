package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Workloads.Event;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers the questions about terminals and commands in the replicas of workloads. */
final class WorkloadShells {
  private final Clock clock;
  private final OpenShells open;
  private final Function<WorkloadRef, OwnedWorkload> known;
  private final Function<WorkloadRef, @Nullable OwnedWorkload> find;
  private final WorkloadPlacement placement;
  private final WorkloadTable table;

  /**
   * @param known fails with NotFound
   * @param find null for none
   */
  WorkloadShells(
      Clock clock,
      OpenShells open,
      Function<WorkloadRef, OwnedWorkload> known,
      Function<WorkloadRef, @Nullable OwnedWorkload> find,
      WorkloadPlacement placement,
      WorkloadTable table) {
    this.clock = clock;
    this.open = open;
    this.known = known;
    this.find = find;
    this.placement = placement;
    this.table = table;
  }

  Future<?> serve(Bus bus) {
    return Future.all(
        List.of(
            bus.serve(Shells.OPEN, this::open),
            bus.serve(Shells.RUN, this::run),
            bus.serve(Shells.PODS, this::inPods),
            bus.serve(Shells.READ, open::read),
            bus.serve(Shells.WRITE, open::write),
            bus.serve(Shells.RESIZE, open::resize),
            bus.serve(Shells.CLOSE, open::close)));
  }

  private Future<Shells.Opened> open(Shells.OpenShell asked) {
    OwnedWorkload workload = known.apply(asked.replica().workload());
    Runtime runtime = placement.runtime(workload.want().runtime());
    Event event =
        workload.note(clock.now(), asked.replica(), "SHELL", "opened by " + asked.by().name());
    return table
        .add(asked.replica().workload(), List.of(event))
        .compose(noted -> open.open(asked, runtime));
  }

  /** No event: a page that shows files asks every few seconds. */
  private Future<Shells.Opened> run(Shells.RunCommand asked) {
    OwnedWorkload workload = known.apply(asked.replica().workload());
    return open.run(asked, placement.runtime(workload.want().runtime()));
  }

  private Future<Shells.InPods> inPods(Shells.AskPods asked) {
    return Future.succeededFuture(
        new Shells.InPods(asked.among().stream().distinct().filter(this::isInPods).toList()));
  }

  private boolean isInPods(WorkloadRef ref) {
    OwnedWorkload workload = find.apply(ref);
    Runtime runtime = workload == null ? null : placement.find(workload.want().runtime());
    return runtime != null && runtime.hasPods();
  }
}
