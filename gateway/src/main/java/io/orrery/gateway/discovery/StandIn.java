package io.orrery.gateway.discovery;

import io.orrery.core.id.ExperimentId;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.function.Consumer;

/**
 * A process that stands for an experiment, because NNI's tools end one by ending its process. It
 * reads a pipe on which nothing ever comes: so it costs no time, and goes with the server however
 * that ends. Blocks.
 */
final class StandIn {
  private final Process process;

  private StandIn(Process process) {
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param onEnd is given it when it has ended for whatever reason, on a thread of the system
   */
  static StandIn start(ExperimentId experiment, Consumer<StandIn> onEnd) throws IOException {
    // The name is for who looks at the list of processes.
    Process process =
        new ProcessBuilder("/bin/sh", "-c", "read end", "orrery-experiment-" + experiment)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    StandIn standIn = new StandIn(process);
    process.onExit().thenRun(() -> onEnd.accept(standIn));
    return standIn;
  }

  long pid() {
    return process.pid();
  }

  void end() {
    process.destroy();
  }
}
