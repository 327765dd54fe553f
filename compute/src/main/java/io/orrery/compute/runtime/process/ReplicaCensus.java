package io.orrery.compute.runtime.process;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.runtime.replica.ReplicaGrants;
import io.orrery.core.workload.ReplicaRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the replicas on this machine that were given GPUs by their files, and whose processes are
 * whose by their marks.
 *
 * @param root the directory of all workloads
 */
record ReplicaCensus(Path root, ReplicaMarks marks, ProcessTable table)
    implements GpuCensus.Source {
  static ReplicaCensus of(Path home) {
    return new ReplicaCensus(
        ProcessRuntime.root(home),
        ReplicaMarks.of(home),
        new ProcessTable(() -> Processes.all(ReplicaMarks.VARIABLE)));
  }

  @Override
  public GpuCensus take() throws IOException {
    Set<Long> alive = new HashSet<>();
    Map<Long, GpuUser> owners = new HashMap<>();
    for (Found found : table.take().all()) {
      alive.add(found.pid());
      ReplicaRef replica = marks.replica(found.mark());
      if (replica != null) {
        owners.put(found.pid(), GpuUser.of(replica));
      }
    }
    return new GpuCensus(alive, owners, ReplicaGrants.of(root));
  }
}
