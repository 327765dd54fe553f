package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.gpu.GpuUser;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes.Found;
import io.orrery.core.id.AttemptRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the attempts on this machine that were given GPUs: every process that carries a mark
 * belongs to one, and what it was given is recorded in its directory.
 *
 * @param home the directory of experiments
 */
record TrialCensus(Path home, ProcessMarks marks, ProcessTable table) implements GpuCensus.Source {
  @Override
  public GpuCensus take() throws IOException {
    Set<Long> alive = new HashSet<>();
    Map<Long, GpuUser> owners = new HashMap<>();
    Map<GpuUser, GpuGrant> grants = new HashMap<>();
    for (Found found : table.take().all()) {
      alive.add(found.pid());
      AttemptRef ref = found.mark() == null ? null : marks.attempt(found.mark());
      if (ref != null) {
        GpuUser user = GpuUser.of(ref);
        if (owners.put(found.pid(), user) == null && !grants.containsKey(user)) {
          GpuGrant grant = AttemptFiles.of(home, ref).grant();
          if (grant != null) {
            grants.put(user, grant);
          }
        }
      }
    }
    return new GpuCensus(alive, owners, grants);
  }
}
