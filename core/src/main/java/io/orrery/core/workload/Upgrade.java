package io.orrery.core.workload;

import org.jspecify.annotations.Nullable;

/**
 * The way in which a new generation of a workload takes over from an earlier one.
 *
 * @param from the generation that serves until then; those in between get no request while it can
 * @param percent of the requests that the new generation gets, 0 to 100, while the earlier one is
 *     kept running whatever the new one does; null when the new one replaces it as soon as it is
 *     ready
 */
public record Upgrade(long from, @Nullable Integer percent) {
  /**
   * @throws IllegalArgumentException when the percent is out of range
   */
  public Upgrade {
    if (percent != null && (percent < 0 || percent > 100)) {
      throw new IllegalArgumentException("a percent is 0 to 100, not " + percent);
    }
  }

  /** The same with another share of the requests; null to replace the earlier generation. */
  public Upgrade at(@Nullable Integer share) {
    return new Upgrade(from, share);
  }
}
