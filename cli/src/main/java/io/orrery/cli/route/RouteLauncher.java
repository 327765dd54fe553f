package io.orrery.cli.route;

import io.orrery.cli.client.ServerAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Runs the serving router in this process; the process's entry point knows how. */
@FunctionalInterface
public interface RouteLauncher {
  /**
   * Routes until the process is told to end.
   *
   * @param config absolute
   * @param followed the server whose table is followed; null for none
   * @return the exit code: 0 after an orderly end, 1 when it could not start, 2 when the
   *     configuration was refused
   */
  int route(Path config, @Nullable ServerAddress followed);
}
