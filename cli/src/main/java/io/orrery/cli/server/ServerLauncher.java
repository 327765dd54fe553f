package io.orrery.cli.server;

import io.orrery.core.check.CheckResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the server in this process; the process's entry point knows how. */
@FunctionalInterface
public interface ServerLauncher {
  /**
   * Serves until the server ends.
   *
   * @return the exit code: 0 after an orderly end, 1 when it could not start or go on, 2 when its
   *     configuration was refused
   */
  int serve(UpOptions options);

  /**
   * Checks what a start would read, open and try: the configuration, the database, the provider at
   * which people sign in, and the sandbox. Changes nothing; blocks, for seconds at most.
   *
   * @param home it may be missing
   * @param configuration it may be missing
   * @return none where no server can be run
   */
  default List<CheckResult> check(Path home, Path configuration, Map<String, String> environment) {
    return List.of();
  }
}
