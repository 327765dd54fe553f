package io.orrery.compute.runtime.replica;

import io.orrery.core.file.DirectoryTree;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of one workload, of all its generations. Adds those that are missing; never ends one
 * that it was not told to. Thread safe. Methods that say so touch files and wait for each other;
 * the others never wait.
 */
final class ReplicaSet implements ReplicaSiblings {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSet.class);

  private final ReplicaTools tools;
  private final WorkloadRef ref;
  private final Runnable changed;
  private final Consumer<ReplicaSet> forgotten;
  private final Map<ReplicaRef, ReplicaKeeper> keepers = new ConcurrentSkipListMap<>();
  private long generation;
  private @Nullable WorkloadSpec spec;
  private int wanted;
  private @Nullable CompletableFuture<Void> removed;

  /**
   * @param changed called from any thread when a replica has changed
   * @param forgotten called from any thread when nothing is left, before the removal completes
   */
  ReplicaSet(
      ReplicaTools tools, WorkloadRef ref, Runnable changed, Consumer<ReplicaSet> forgotten) {
    this.tools = tools;
    this.ref = ref;
    this.changed = changed;
    this.forgotten = forgotten;
  }

  /** Takes over a replica of an earlier server. Blocks. */
  void adopt(ReplicaRef replica, LeftReplica left) throws IOException {
    ReplicaKeeper keeper = new ReplicaKeeper(tools, replica, left.spec(), this);
    keeper.adopt(left.facts());
    synchronized (this) {
      keepers.put(replica, keeper);
      generation = Math.max(generation, replica.generation());
    }
  }

  /** Lets the adopted replicas work. */
  void begin() {
    all().forEach(ReplicaKeeper::begin);
  }

  /** Has so many replicas running; an older generation changes nothing. Blocks. */
  synchronized void want(long newest, WorkloadSpec newSpec, int replicas) throws IOException {
    if (newest < generation || removed != null) {
      return;
    }
    if (newest > generation || spec == null) {
      generation = newest;
      spec = newSpec;
    }
    wanted = replicas;
    fill();
  }

  /**
   * As {@link #want}, after a start of the server. Replicas of a later generation are drained: they
   * are of a workload that was removed, and then created again under its name. Blocks.
   */
  synchronized void take(long present, WorkloadSpec newSpec, int replicas) throws IOException {
    if (present < generation) {
      generation = present;
      for (ReplicaKeeper keeper : all()) {
        if (keeper.ref().generation() > present && !keeper.isDrained()) {
          keeper.drain(keeper.grace());
        }
      }
    }
    want(present, newSpec, replicas);
  }

  private synchronized void fill() throws IOException {
    WorkloadSpec present = spec;
    if (present == null || removed != null) {
      return;
    }
    long missing =
        wanted
            - keepers.values().stream()
                .filter(keeper -> keeper.ref().generation() == generation && !keeper.isDrained())
                .count();
    for (int ordinal = 0; missing > 0; ordinal++) {
      ReplicaRef replica = new ReplicaRef(ref, generation, ordinal);
      if (!keepers.containsKey(replica)) {
        tools.files(replica).create(present, tools.secrets());
        ReplicaKeeper keeper = new ReplicaKeeper(tools, replica, present, this);
        keepers.put(replica, keeper);
        keeper.begin();
        missing--;
      }
    }
  }

  /** Asks a replica to end. Blocks. */
  void drain(ReplicaRef replica, Duration grace) throws IOException {
    ReplicaKeeper keeper = keeper(replica);
    if (keeper != null && !keeper.isDrained()) {
      keeper.drain(grace);
      fill();
    }
  }

  /** Ends all and deletes the files. */
  CompletableFuture<Void> remove() throws IOException {
    CompletableFuture<Void> result;
    synchronized (this) {
      if (removed != null) {
        return removed;
      }
      result = new CompletableFuture<>();
      removed = result;
    }
    for (ReplicaKeeper keeper : all()) {
      if (!keeper.isDrained()) {
        keeper.drain(keeper.grace());
      }
    }
    completeRemoval();
    return result;
  }

  /** Completes when all is gone; null when it is not being removed. */
  synchronized @Nullable CompletableFuture<Void> removal() {
    return removed;
  }

  private void completeRemoval() {
    CompletableFuture<Void> done;
    synchronized (this) {
      done = removed;
      if (done == null || !keepers.isEmpty() || done.isDone()) {
        return;
      }
    }
    try {
      DirectoryTree.delete(directory());
      forgotten.accept(this);
      done.complete(null);
    } catch (IOException e) {
      done.completeExceptionally(e);
    }
  }

  private Path directory() {
    return tools.root().resolve(ref.segment());
  }

  /** The replicas as last seen. */
  Observation observation() {
    return new Observation(ref, all().stream().map(ReplicaKeeper::shown).toList());
  }

  @Nullable ReplicaKeeper keeper(ReplicaRef replica) {
    return keepers.get(replica);
  }

  private Collection<ReplicaKeeper> all() {
    return keepers.values();
  }

  /** Leaves all to another server. */
  void leave() {
    all().forEach(ReplicaKeeper::leave);
  }

  /** Looks which replicas have something to do. */
  void tick(long now) {
    all().forEach(keeper -> keeper.tick(now));
  }

  @Override
  public void changed() {
    changed.run();
  }

  @Override
  public void gone(ReplicaKeeper keeper) {
    keepers.remove(keeper.ref());
    try {
      fill();
    } catch (IOException e) {
      LOG.warn("could not add a replica of workload {}: {}", ref, e.toString());
    }
    changed.run();
    completeRemoval();
  }

  @Override
  public int fixedPort(ReplicaKeeper asker) {
    return all().stream()
        .filter(keeper -> keeper != asker)
        .mapToInt(ReplicaKeeper::fixedPort)
        .filter(port -> port != 0)
        .findFirst()
        .orElse(0);
  }
}
