package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.kubernetes.ClusterException;
import io.orrery.kubernetes.ResourceType;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Services of the exposed ports of workloads. Level-triggered: each is applied as it is wanted,
 * deleted when none is, and tried again while the API server does not let it. One that is deleted
 * by hand is made again by the next generation or the next server. Thread safe.
 */
final class ExternalServices {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalServices.class);

  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final PodNamespace namespace;
  private final ServiceBody body;
  private final Clock clock;
  private final Background background;
  private final Consumer<WorkloadRef> changed;
  private final ReentrantLock working = new ReentrantLock();

  /** What is wanted of workloads, whether they have a Service or not. */
  private final Map<WorkloadRef, Wish> wishes = new ConcurrentHashMap<>();

  private final Map<WorkloadRef, String> faults = new ConcurrentHashMap<>();

  /** The names of the Services that are there; null before they were listed. Under the lock. */
  private @Nullable Set<String> present;

  private volatile boolean closed;

  /** A specification, and whether the Service is as it says. */
  private record Wish(long generation, WorkloadSpec spec, boolean done) {
    Wish asDone() {
      return new Wish(generation, spec, true);
    }
  }

  /**
   * @param changed told of a workload whose notice has changed, from any thread
   */
  ExternalServices(PodMachine machine, Background background, Consumer<WorkloadRef> changed) {
    this.namespace = machine.namespace();
    this.body = new ServiceBody(machine.names());
    this.clock = machine.clock();
    this.background = background;
    this.changed = changed;
  }

  /** Why the Service of a workload is not as it is wanted; null when it is. */
  @Nullable String fault(WorkloadRef workload) {
    return faults.get(workload);
  }

  /** Has the Service of a generation there, or none; an older one changes nothing. */
  void want(WorkloadRef workload, long generation, WorkloadSpec spec) {
    wishes.merge(
        workload,
        new Wish(generation, spec, false),
        (before, next) ->
            before.generation() > next.generation()
                    || (before.generation() == next.generation() && before.done())
                ? before
                : next);
    soon();
  }

  /** Takes over after a start of the server: Services of workloads that are not wanted go. */
  void adopt(List<Wanted> all) {
    for (Wanted each : all) {
      want(each.workload(), each.generation(), each.spec());
    }
    sweep();
  }

  private void sweep() {
    later(() -> {
      try {
        locked(this::deleteStrays);
      } catch (IOException e) {
        LOG.debug("could not delete Services that are of no workload: {}", e.getMessage());
        clock.after(AGAIN, this::sweep);
      }
    });
  }

  private void deleteStrays() throws IOException {
    Set<String> kept = new HashSet<>();
    wishes.forEach((workload, wish) -> {
      if (ServiceBody.isWanted(wish.spec())) {
        kept.add(ServiceBody.name(workload));
      }
    });
    for (String name : Set.copyOf(present())) {
      if (!kept.contains(name)) {
        LOG.info("deleting Service {}, which is of no workload", name);
        delete(name);
      }
    }
  }

  /** Deletes the Service of a workload that is removed; completes when it is gone. */
  Future<Void> remove(WorkloadRef workload) {
    wishes.remove(workload);
    faults.remove(workload);
    return background.run(() -> {
      locked(() -> {
        String name = ServiceBody.name(workload);
        if (!wishes.containsKey(workload) && present().contains(name)) {
          delete(name);
        }
      });
      return null;
    });
  }

  private void soon() {
    later(this::reconcile);
  }

  private void later(Runnable work) {
    try {
      background.execute(work);
    } catch (RejectedExecutionException end) {
      LOG.trace("dropping a look at Services: the runtime is closed");
    }
  }

  private void reconcile() {
    boolean again = false;
    for (Map.Entry<WorkloadRef, Wish> each : new HashMap<>(wishes).entrySet()) {
      if (!each.getValue().done() && !closed) {
        again |= !isReconciled(each.getKey());
      }
    }
    if (again) {
      clock.after(AGAIN, this::soon);
    }
  }

  private boolean isReconciled(WorkloadRef workload) {
    try {
      locked(() -> {
        Wish wish = wishes.get(workload);
        if (wish != null && !wish.done()) {
          makeTrue(workload, wish);
          wishes.replace(workload, wish, wish.asDone());
        }
      });
      note(workload, null);
      return true;
    } catch (IOException e) {
      Wish wish = wishes.get(workload);
      if (!closed && wish != null && ServiceBody.isWanted(wish.spec())) {
        note(
            workload,
            "its ports are not open at the addresses of the cluster: "
                + (e.getMessage() == null ? e.toString() : e.getMessage()));
      }
      return false;
    }
  }

  private void makeTrue(WorkloadRef workload, Wish wish) throws IOException {
    String name = ServiceBody.name(workload);
    if (ServiceBody.isWanted(wish.spec())) {
      namespace.applyService(body.service(workload, wish.spec()));
      if (present != null) {
        present.add(name);
      }
    } else if (present().contains(name)) {
      delete(name);
    }
  }

  private Set<String> present() throws IOException {
    Set<String> known = present;
    if (known != null) {
      return known;
    }
    try {
      known = new HashSet<>(namespace.services());
      present = known;
      return known;
    } catch (ClusterException e) {
      if (e.isSilence()) {
        throw e;
      }
      // Who may not list them has made none.
      return Set.of();
    }
  }

  private void delete(String name) throws IOException {
    namespace.delete(ResourceType.SERVICE, name);
    if (present != null) {
      present.remove(name);
    }
  }

  private void note(WorkloadRef workload, @Nullable String fault) {
    String before = fault == null ? faults.remove(workload) : faults.put(workload, fault);
    if (fault != null && !fault.equals(before)) {
      LOG.warn("could not apply the Service of {}: {}", workload, fault);
    }
    if (fault == null ? before != null : !fault.equals(before)) {
      changed.accept(workload);
    }
  }

  /** A task that asks the API server. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private void locked(Work work) throws IOException {
    working.lock();
    try {
      work.run();
    } finally {
      working.unlock();
    }
  }

  void close() {
    closed = true;
  }
}
