package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of all workloads. Thread safe. Methods that may fail touch files and block; the
 * others never wait.
 */
final class ReplicaSets {
  private final ReplicaTools tools;
  private final Consumer<WorkloadRef> changed;
  private final FoundReplicas found;
  private final Map<WorkloadRef, ReplicaSet> sets = new ConcurrentSkipListMap<>();

  /**
   * @param changed called from any thread when a replica has changed
   */
  ReplicaSets(ReplicaTools tools, Consumer<WorkloadRef> changed) {
    this.tools = tools;
    this.changed = changed;
    this.found = new FoundReplicas(tools);
  }

  /** Looks which replicas have something to do. */
  void tick() {
    long now = tools.clock().millis();
    sets.values().forEach(set -> set.tick(now));
  }

  /** Leaves all to another server. */
  void leave() {
    sets.values().forEach(ReplicaSet::leave);
  }

  /** Has so many replicas running; not while the workload is being removed. */
  void want(Wanted wanted) throws IOException {
    open(wanted.workload()).want(wanted.generation(), wanted.spec(), wanted.replicas());
  }

  /** Asks a replica to end; nothing happens when it is gone. */
  void drain(ReplicaRef replica, Duration grace) throws IOException {
    ReplicaSet set = present(replica.workload());
    if (set != null) {
      set.drain(replica, grace);
    }
  }

  /** Ends and forgets all of a workload; completes when nothing is left. */
  CompletableFuture<Void> remove(WorkloadRef workload) throws IOException {
    ReplicaSet set = present(workload);
    if (set == null) {
      return CompletableFuture.completedFuture(null);
    }
    return set.remove();
  }

  /** The removal of a workload that is under way; null when none is. */
  @Nullable CompletableFuture<Void> removal(WorkloadRef workload) {
    ReplicaSet set = sets.get(workload);
    return set == null ? null : set.removal();
  }

  /** Takes over all that an earlier server has left, and removes what is not wanted. */
  void adopt(List<Wanted> all) throws IOException, InterruptedException {
    found.load();
    tools.machine().endStrays(this::isKept);
    Set<WorkloadRef> wanted = new HashSet<>();
    for (Wanted each : all) {
      wanted.add(each.workload());
      open(each.workload()).take(each.generation(), each.spec(), each.replicas());
    }
    for (WorkloadRef workload : found.workloads()) {
      if (!wanted.contains(workload)) {
        CompletableFuture<Void> ignored = remove(workload);
      }
    }
  }

  private boolean isKept(ReplicaRef replica) {
    return found.has(replica) || keeper(replica) != null;
  }

  /** The keeper of a replica; null when there is none. */
  @Nullable ReplicaKeeper keeper(ReplicaRef replica) {
    ReplicaSet set = sets.get(replica.workload());
    return set == null ? null : set.keeper(replica);
  }

  /** The replicas of a workload as last seen. */
  Observation observation(WorkloadRef workload) {
    ReplicaSet set = sets.get(workload);
    return set == null ? new Observation(workload, List.of()) : set.observation();
  }

  /** The replicas of a workload of which there are some; null when there are none. */
  private @Nullable ReplicaSet present(WorkloadRef workload) throws IOException {
    found.load();
    return sets.containsKey(workload) || found.has(workload) ? open(workload) : null;
  }

  /** The replicas of a workload, with those that an earlier server has left. */
  private ReplicaSet open(WorkloadRef workload) throws IOException {
    found.load();
    ReplicaSet present = sets.get(workload);
    if (present != null) {
      return present;
    }
    synchronized (this) {
      present = sets.get(workload);
      if (present == null) {
        present =
            new ReplicaSet(
                tools,
                workload,
                () -> changed.accept(workload),
                set -> {
                  sets.remove(workload, set);
                  changed.accept(workload);
                });
        found.adopt(workload, present);
        sets.put(workload, present);
        // Not before: a program of neither would be taken for a stray.
        found.forget(workload);
        present.begin();
      }
      return present;
    }
  }
}
