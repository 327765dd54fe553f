package io.orrery.compute.runtime.replica;

import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.core.workload.ReplicaRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Finds the replicas that hold GPUs by their files, whichever server has started them. */
public final class ReplicaGrants {
  private ReplicaGrants() {}

  /**
   * The GPUs of all replicas. Blocks.
   *
   * @param root the directory of all workloads of a runtime
   */
  public static Map<GpuUser, GpuGrant> of(Path root) throws IOException {
    Map<GpuUser, GpuGrant> all = new HashMap<>();
    for (Path workload : FoundReplicas.children(root)) {
      for (Path replica : FoundReplicas.children(workload)) {
        GpuGrant grant = new ReplicaFiles(replica, true).gpus();
        ReplicaRef ref = grant == null ? null : FoundReplicas.replica(workload, replica);
        if (grant != null && ref != null) {
          all.put(GpuUser.of(ref), grant);
        }
      }
    }
    return all;
  }
}
