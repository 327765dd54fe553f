package io.orrery.orchestrator.runtime.replica;

import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;

/** The files that a server leaves which is killed while it launches a program. */
public final class LaunchedFiles {
  private LaunchedFiles() {}

  /**
   * Makes them.
   *
   * @return the directory of the launch
   */
  public static Path make(Path root, ReplicaRef replica, WorkloadSpec spec) throws IOException {
    ReplicaFiles files = ReplicaFiles.of(root, replica);
    files.create(spec);
    files.makeRun(1);
    return files.run(1);
  }
}
