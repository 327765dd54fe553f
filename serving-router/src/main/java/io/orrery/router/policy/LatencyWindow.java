package io.orrery.router.policy;

import io.orrery.core.route.LatencyBuckets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The times of the answers of the last half minute to a minute, from counters that only grow: what
 * has come since a mark, and the mark moves on. Until it has moved twice, all since the start.
 */
final class LatencyWindow {
  /** The time between two marks. */
  static final Duration STEP = Duration.ofSeconds(30);

  /** The answers below which a quantile says too little. */
  static final long LEAST_SAMPLES = 100;

  private long[] older = new long[0];
  private long[] newer = new long[0];
  private long markedAt;

  LatencyWindow(long now) {
    this.markedAt = now;
  }

  /**
   * A quantile of the times.
   *
   * @param counters of answers by their {@link LatencyBuckets}, since the start
   * @param share 0 to 1
   * @param now nanoseconds, not before those of the call before
   * @return nanoseconds; negative when there are fewer than {@value #LEAST_SAMPLES} answers
   */
  long quantile(long[] counters, double share, long now) {
    if (now - markedAt >= STEP.toNanos()) {
      // After two steps without a look the last mark would be too old.
      older = now - markedAt >= 2 * STEP.toNanos() ? counters.clone() : newer;
      newer = counters.clone();
      markedAt = now;
    }
    long[] recent = since(counters, older);
    if (LongStream.of(recent).sum() < LEAST_SAMPLES) {
      return -1;
    }
    double micros = LatencyBuckets.quantileMicros(LongStream.of(recent).boxed().toList(), share);
    return Math.round(micros * 1_000);
  }

  /** The counters may have begun anew, when their service had left the table. */
  private static long[] since(long[] counters, long[] mark) {
    if (mark.length == 0) {
      return counters;
    }
    long[] recent = counters.clone();
    Arrays.setAll(recent, i -> counters[i] - mark[i]);
    return LongStream.of(recent).anyMatch(count -> count < 0) ? counters : recent;
  }
}
