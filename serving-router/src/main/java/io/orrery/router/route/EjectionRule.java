package io.orrery.router.route;

import java.time.Duration;

/**
 * A rule that leaves out an endpoint because its answers are bad.
 *
 * @param consecutive answers of 5xx or failed connections in a row
 * @param time how long it is left out
 * @param atMost the percentage of a service's endpoints that may be out for this at once
 */
public record EjectionRule(int consecutive, Duration time, double atMost) {
  public static final EjectionRule DEFAULT = new EjectionRule(5, Duration.ofSeconds(30), 50);
}
