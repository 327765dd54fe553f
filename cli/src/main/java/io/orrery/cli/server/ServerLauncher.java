package io.orrery.cli.server;

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
}
