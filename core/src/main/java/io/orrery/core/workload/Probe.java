package io.orrery.core.workload;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The check that says whether a replica is ready: an HTTP GET that must answer 200 to 399, or,
 * without a path, a TCP connection.
 *
 * @param port the name of one of the workload's ports
 * @param path null for a TCP connection
 * @param interval between two checks
 * @param timeout of one check
 */
public record Probe(String port, @Nullable String path, Duration interval, Duration timeout) {
  /** A TCP connection every half second. */
  public static Probe tcp(String port) {
    return new Probe(port, null, Duration.ofMillis(500), Duration.ofSeconds(1));
  }
}
