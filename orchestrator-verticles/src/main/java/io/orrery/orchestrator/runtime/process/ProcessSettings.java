package io.orrery.orchestrator.runtime.process;

import io.orrery.orchestrator.process.Spawn;
import java.time.Duration;
import java.util.List;

/**
 * The settings that differ between a server and a test.
 *
 * @param tick how often timers and probes are looked at
 * @param rest how often a ready replica is probed
 * @param retry how often what is missing is looked for
 * @param largestLog bytes of a log file beyond which it is rotated
 * @param starts replicas that may start at the same time
 * @param backoff of restarts
 * @param interpreter the program that runs the wrapper script
 * @param spawn starts programs
 */
record ProcessSettings(
    Duration tick,
    Duration rest,
    Duration retry,
    long largestLog,
    int starts,
    RestartBackoff backoff,
    List<String> interpreter,
    Spawn spawn) {
  static final ProcessSettings DEFAULT =
      new ProcessSettings(
          Duration.ofMillis(100),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          16L << 20,
          2 * Runtime.getRuntime().availableProcessors() + 2,
          RestartBackoff.DEFAULT,
          List.of("/bin/sh"),
          Spawn.best());

  ProcessSettings {
    interpreter = List.copyOf(interpreter);
  }
}
