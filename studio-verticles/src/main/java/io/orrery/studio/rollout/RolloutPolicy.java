package io.orrery.studio.rollout;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way on which a service takes over a domain, or a generation of it the requests of an earlier
 * one.
 *
 * @param steps the percent of the requests that it gets at each step, rising to 100
 * @param every the least time of a step
 * @param errors the highest share of answers 5xx, 0 to 1; null for any
 * @param p50 null for any
 * @param p99 null for any
 * @param requests the least number of answers of the new service in a step
 * @param keepWarm the time for which the services before it are kept running afterwards
 */
public record RolloutPolicy(
    List<Integer> steps,
    Duration every,
    @Nullable Double errors,
    @Nullable LatencyGate p50,
    @Nullable LatencyGate p99,
    int requests,
    Duration keepWarm) {
  /** The policy of a document that says nothing: all requests at once, as soon as it is ready. */
  public static final RolloutPolicy AT_ONCE =
      new RolloutPolicy(List.of(100), Duration.ZERO, null, null, null, 0, Duration.ofSeconds(10));

  /** Whether anything but readiness decides upon the requests of a new service. */
  public boolean isGradual() {
    return !equals(AT_ONCE);
  }

  public RolloutPolicy {
    steps = List.copyOf(steps);
  }

  /**
   * A bound of an answer time.
   *
   * @param bound milliseconds, or how many times the one of the services before
   */
  public record LatencyGate(double bound, boolean relative) {}
}
