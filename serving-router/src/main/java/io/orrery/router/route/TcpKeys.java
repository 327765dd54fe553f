package io.orrery.router.route;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of a service that takes connections at a port of its own in place of requests. */
final class TcpKeys {
  static final String TCP = "tcp";

  /** The time after which a connection without a byte is closed; clients of databases keep some. */
  static final Duration IDLE = Duration.ofHours(1);

  private static final int LEAST_PORT = 1_024;
  private static final int MOST_PORT = 65_535;

  /** Those that say something about connections. */
  private static final List<String> KEYS =
      List.of("name", "stage", "endpoints", "timeout", "limits", "ejection", TCP, "layer", "state");

  private TcpKeys() {}

  /**
   * Reads the port.
   *
   * @param all keys that a service may have
   * @return null when it takes requests
   */
  static @Nullable Integer read(Section section, List<String> all) {
    if (!section.has(TCP)) {
      return null;
    }
    for (String key : all) {
      if (!KEYS.contains(key) && section.has(key)) {
        section.refuse(
            key, "a service with tcp takes connections, and " + key + " is about requests");
      }
    }
    Section tcp = section.section(TCP, "port");
    if (!tcp.has("port")) {
      tcp.refuse("port", "tcp has the port that connections come to: {port: 31000}");
    }
    return tcp.integer("port", LEAST_PORT, LEAST_PORT, MOST_PORT);
  }
}
