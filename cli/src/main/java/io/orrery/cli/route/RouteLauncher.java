package io.orrery.cli.route;

import java.nio.file.Path;

/** Runs the serving router in this process; the process's entry point knows how. */
@FunctionalInterface
public interface RouteLauncher {
  /**
   * Routes until the process is told to end.
   *
   * @param config absolute
   * @return the exit code: 0 after an orderly end, 1 when it could not start, 2 when the
   *     configuration was refused
   */
  int route(Path config);
}
