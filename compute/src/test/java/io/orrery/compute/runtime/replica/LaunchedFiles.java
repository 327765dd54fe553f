package io.orrery.compute.runtime.replica;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The files that a server leaves which is killed while it launches a program. */
public final class LaunchedFiles {
  private LaunchedFiles() {}

  /**
   * Makes them.
   *
   * @param home with the key that seals
   * @return the directory of the launch
   */
  public static Path make(Path home, Path root, ReplicaRef replica, WorkloadSpec spec)
      throws IOException {
    ReplicaFiles files = ReplicaFiles.of(root, replica, true);
    files.create(spec, new SecretBox(home, Map.of()));
    files.makeRun(1);
    return files.run(1);
  }
}
