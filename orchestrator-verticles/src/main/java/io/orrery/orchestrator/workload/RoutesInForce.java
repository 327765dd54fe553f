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
import org.jspecify.annotations.Nullable;

/**
 * Finds out when every router has the way to a workload, and with it the token of its program. The
 * routers are asked while one waits for that, and not otherwise.
 */
final class RoutesInForce {
  /**
   * The pause before the first question after a write; it doubles with each that changed nothing.
   */
  private static final Duration LOOK = Duration.ofMillis(50);

  private static final Duration LONGEST = Duration.ofSeconds(2);

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Collection<OwnedWorkload>> workloads;
  private final Consumer<WorkloadRef> reached;
  private Duration pause = LOOK;
  private Clock.@Nullable Timer next;
  private boolean asking;
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

  /** A layer has been stored: has the routers asked soon, when a workload waits for them. */
  void soon() {
    pause = LOOK;
    if (next != null) {
      next.cancel();
      next = null;
    }
    later();
  }

  private void later() {
    if (next == null && !asking && !closed && isAnyAwaited()) {
      next = clock.after(pause, this::ask);
    }
  }

  private boolean isAnyAwaited() {
    return workloads.get().stream().anyMatch(OwnedWorkload::isRouteAwaited);
  }

  private void ask() {
    next = null;
    asking = true;
    bus.request(Routes.TRAFFIC, new Routes.AskTraffic(List.of(), List.of(), false))
        .onComplete((traffic, failure) -> {
          asking = false;
          if (closed) {
            return;
          }
          pause = pause.compareTo(LONGEST.dividedBy(2)) > 0 ? LONGEST : pause.multipliedBy(2);
          if (traffic != null && traffic.answered() >= traffic.routers()) {
            List.copyOf(workloads.get()).stream()
                .filter(workload -> workload.reached(traffic.studio()))
                .forEach(workload -> reached.accept(workload.want().workload()));
          }
          later();
        });
  }

  void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
