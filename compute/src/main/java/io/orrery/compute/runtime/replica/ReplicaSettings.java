package io.orrery.compute.runtime.replica;

import java.time.Duration;

/**
 * The settings that differ between a server and a test.
 *
 * @param tick how often timers and probes are looked at
 * @param rest how often a ready replica is probed
 * @param retry how often what is missing is looked for
 * @param largestLog bytes of a log file beyond which it is rotated
 * @param starts replicas that may start at the same time
 * @param backoff of restarts
 */
public record ReplicaSettings(
    Duration tick,
    Duration rest,
    Duration retry,
    long largestLog,
    int starts,
    RestartBackoff backoff) {
  /** The settings of a server. */
  public static final ReplicaSettings DEFAULT =
      new ReplicaSettings(
          Duration.ofMillis(100),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          16L << 20,
          2 * Runtime.getRuntime().availableProcessors() + 2,
          RestartBackoff.DEFAULT);
}
