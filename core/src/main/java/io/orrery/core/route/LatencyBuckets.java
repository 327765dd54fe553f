package io.orrery.core.route;

import java.util.List;

/** The histogram buckets of answer times at routers: from a quarter millisecond to a minute. */
public final class LatencyBuckets {
  private static final List<Long> BOUNDS_MICROS =
      List.of(
          250L,
          500L,
          1_000L,
          2_500L,
          5_000L,
          10_000L,
          25_000L,
          50_000L,
          100_000L,
          250_000L,
          500_000L,
          1_000_000L,
          2_500_000L,
          5_000_000L,
          10_000_000L,
          30_000_000L,
          60_000_000L);

  private LatencyBuckets() {}

  /** The upper ends of all buckets but the last one, which has none, in microseconds. */
  public static List<Long> boundsMicros() {
    return BOUNDS_MICROS;
  }

  /**
   * A quantile, by linear interpolation within its bucket.
   *
   * @param counts one for each bucket: one more than there are bounds
   * @param share 0 to 1, such as 0.99
   * @return microseconds; 0 without any answer
   */
  public static double quantileMicros(List<Long> counts, double share) {
    long all = counts.stream().mapToLong(Long::longValue).sum();
    if (all == 0) {
      return 0;
    }
    double rank = share * all;
    double before = 0;
    for (int bucket = 0; bucket < BOUNDS_MICROS.size(); bucket++) {
      long count = counts.get(bucket);
      if (before + count >= rank && count > 0) {
        double low = bucket == 0 ? 0 : BOUNDS_MICROS.get(bucket - 1);
        return low + (BOUNDS_MICROS.get(bucket) - low) * (rank - before) / count;
      }
      before += count;
    }
    return BOUNDS_MICROS.getLast();
  }
}
