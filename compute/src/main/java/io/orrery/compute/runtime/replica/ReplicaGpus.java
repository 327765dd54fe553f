package io.orrery.compute.runtime.replica;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.core.workload.ReplicaRef;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that a replica is given, which it keeps over restarts of its program and of the server,
 * until it is gone. They are on the disk before its program starts. Used by the replica's thread.
 */
final class ReplicaGpus {
  private final @Nullable GpuQueue queue;
  private final GpuUser user;
  private final int count;
  private final ReplicaFiles files;
  private final Runnable nudge;
  private volatile @Nullable GpuGrant granted;
  private volatile @Nullable String reason;
  private @Nullable GpuGrant recorded;
  private boolean asked;

  /**
   * @param inventory null where the place itself gives them
   * @param count those that it needs, 0 for none
   * @param nudge called from any thread when the replica should look again
   */
  ReplicaGpus(
      @Nullable GpuInventory inventory,
      ReplicaRef replica,
      int count,
      ReplicaFiles files,
      Runnable nudge) {
    this.queue = inventory == null ? null : inventory.queue();
    this.user = GpuUser.of(replica);
    this.count = count;
    this.files = files;
    this.nudge = nudge;
  }

  /** Those that it has; null for none. */
  @Nullable GpuGrant all() {
    return recorded;
  }

  /** Takes over those that an earlier server gave it, which the inventory finds as well. */
  void adopt() throws IOException {
    if (queue != null) {
      recorded = files.gpus();
      granted = recorded;
    }
  }

  /** Takes what it needs; the reason why it must wait, or null when it has all. */
  @Nullable String take() throws IOException {
    if (queue == null || count == 0) {
      return null;
    }
    if (granted == null && !asked) {
      asked = true;
      queue.request(user, GpuRequest.whole(count), new GrantListener());
    }
    GpuGrant given = granted;
    if (given == null) {
      String why = reason;
      return why == null ? "it waits for GPUs: this machine is being looked at" : why;
    }
    if (recorded == null) {
      files.recordGpus(given);
      recorded = given;
    }
    return null;
  }

  /** Gives all back, after its files are gone. */
  void release() {
    if (queue != null && (asked || granted != null)) {
      queue.withdraw(user);
      queue.release(user);
    }
    asked = false;
    granted = null;
    recorded = null;
  }

  /** Leaves it to another server; what it has stays its own. */
  void leave() {
    if (queue != null) {
      queue.leave(Set.of(user));
    }
  }

  /** A listener that has the replica look again; called with the queue's lock held. */
  private final class GrantListener implements GpuQueue.Waiter {
    @Override
    public void waits(String why) {
      if (!why.equals(reason)) {
        reason = why;
        nudge.run();
      }
    }

    @Override
    public void granted(GpuGrant grant) {
      granted = grant;
      nudge.run();
    }
  }
}
