package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.orchestrator.workload.OwnedWorkload.Retiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends replicas that are to go: each once every router has a table without it and no request to it
 * is under way, or when its grace is over.
 */
final class ReplicaDrains {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaDrains.class);

  /** The pause between two questions about requests of replicas that are to end. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Bus bus;
  private final Clock clock;
  private final Supplier<Collection<OwnedWorkload>> workloads;
  private final Function<String, Runtime> runtimes;
  private final Consumer<WorkloadRef> changed;
  private boolean waiting;
  private boolean closed;

  /**
   * @param runtimes by name
   * @param changed told of a workload with a replica that was asked to end
   */
  ReplicaDrains(
      Bus bus,
      Clock clock,
      Supplier<Collection<OwnedWorkload>> workloads,
      Function<String, Runtime> runtimes,
      Consumer<WorkloadRef> changed) {
    this.bus = bus;
    this.clock = clock;
    this.workloads = workloads;
    this.runtimes = runtimes;
    this.changed = changed;
  }

  /** Has what is to end looked at soon. */
  void soon() {
    if (!waiting && !closed) {
      waiting = true;
      clock.after(
          LOOK,
          () -> {
            waiting = false;
            drain();
          });
    }
  }

  void close() {
    closed = true;
  }

  private void drain() {
    Map<OwnedWorkload, List<Retiring>> routed = new HashMap<>();
    List<String> endpoints = new ArrayList<>();
    for (OwnedWorkload workload : List.copyOf(workloads.get())) {
      for (Retiring each : workload.toDrain()) {
        List<String> own = workload.endpoints(each.replica());
        if (own.isEmpty()) {
          end(workload, each);
        } else {
          routed.computeIfAbsent(workload, added -> new ArrayList<>()).add(each);
          endpoints.addAll(own);
        }
      }
    }
    if (routed.isEmpty() || closed) {
      return;
    }
    bus.request(Routes.TRAFFIC, new Routes.AskTraffic(endpoints, List.of(), false))
        .onComplete((traffic, failure) -> {
          Set<String> idle = traffic == null ? Set.of() : traffic.idle();
          routed.forEach((workload, some) ->
              some.forEach(each -> {
                if (isOver(workload, each, traffic, idle)) {
                  end(workload, each);
                }
              }));
          soon();
        });
  }

  /** Whether its requests are over, or have had their time. */
  private boolean isOver(
      OwnedWorkload workload, Retiring each, Routes.@Nullable Traffic traffic, Set<String> idle) {
    Long without = each.without();
    boolean left =
        traffic != null
            && without != null
            && traffic.isInForce(without)
            && idle.containsAll(workload.endpoints(each.replica()));
    return left || clock.now().isAfter(each.since().plus(workload.want().spec().grace()));
  }

  private void end(OwnedWorkload workload, Retiring each) {
    workload.drained(each.replica().ref());
    runtimes
        .apply(workload.want().runtime())
        .drain(each.replica().ref(), workload.want().spec().grace())
        .onFailure(
            failure -> LOG.warn("could not end {}: {}", each.replica().ref(), failure.getMessage()))
        .onComplete(asked -> changed.accept(workload.want().workload()));
  }
}
