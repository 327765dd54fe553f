package io.orrery.orchestrator.platform.local;

import java.time.Duration;
import java.util.List;

/**
 * What may differ between a server and a test.
 *
 * @param grace how long a process may take to end after SIGTERM before it is killed
 * @param tick how often everything is looked at that no notification told of
 * @param logQuota most bytes that an attempt may write to stdout and stderr together before it is
 *     ended; looked at once a tick, so a fast writer passes it by a few seconds' worth
 * @param interpreter what starts the wrapper script in a session of its own
 */
record LocalSettings(Duration grace, Duration tick, long logQuota, List<String> interpreter) {
  static final LocalSettings DEFAULT =
      new LocalSettings(
          Duration.ofSeconds(5), Duration.ofSeconds(1), 1L << 30, List.of("setsid", "/bin/sh"));

  LocalSettings {
    interpreter = List.copyOf(interpreter);
  }
}
