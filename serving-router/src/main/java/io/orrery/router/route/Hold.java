package io.orrery.router.route;

import java.time.Duration;

/**
 * The rule by which requests wait while a service has no endpoint, or none that is well.
 *
 * @param requests how many may wait at once, at all event loops together
 * @param time how long each may wait
 */
public record Hold(int requests, Duration time) {
  static final int MOST = 10_000;
  static final int STANDARD = 100;
  static final Duration STANDARD_TIME = Duration.ofSeconds(60);
}
