package io.orrery.orchestrator.workload;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds out when every router has the way to a workload, and with it the token of its program. The
 * routers are asked while one waits for that, and not otherwise.
 */
final class RoutesInForce {
  /** The pause between two questions. */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Collection<OwnedWorkload>> workloads;
  private final Consumer<WorkloadRef> reached;
  private boolean waiting;
  private boolean closed;

  /**
   * @param reached told of a workload that every router has
   */
  RoutesInForce(
      Bus bus,
      Clock clock,
      Supplier<Collection<OwnedWorkload>> workloads,
      Consumer<WorkloadRef> reached) {
    this.bus = bus;
    this.clock = clock;
    this.workloads = workloads;
    this.reached = reached;
  }

  /** Has the routers asked soon, when a workload waits for them. */
  void soon() {
    if (!waiting && !closed && isAnyAwaited()) {
      waiting = true;
      clock.after(LOOK, this::ask);
    }
  }

  private boolean isAnyAwaited() {
    return workloads.get().stream().anyMatch(OwnedWorkload::isRouteAwaited);
  }

  private void ask() {
    bus.request(Routes.TRAFFIC, new Routes.AskTraffic(List.of(), List.of(), false))
        .onComplete((traffic, failure) -> {
          if (closed) {
            return;
          }
          if (traffic != null && traffic.answered() >= traffic.routers()) {
            List.copyOf(workloads.get()).stream()
                .filter(workload -> workload.reached(traffic.studio()))
                .forEach(workload -> reached.accept(workload.want().workload()));
          }
          waiting = false;
          soon();
        });
  }

  void close() {
    closed = true;
  }
}
