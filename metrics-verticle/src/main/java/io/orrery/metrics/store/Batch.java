package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of points that were appended together, prepared for the writer. The caller computes what
 * the writer needs in one pass, while the points are in the caches of its processor.
 *
 * @param ends where each block of points of one attempt ends; the first begins at 0
 * @param bytes estimated from above
 * @param unfit why they cannot be stored; null when they can
 */
record Batch(List<MetricPoint> points, int[] ends, long bytes, @Nullable Problem unfit) {
  /** Longest object that a point may carry, in characters. */
  static final int MAX_DOCUMENT = 1 << 20;

  /** Longest name of a source or a parameter set, in characters. */
  static final int MAX_NAME = 1_024;

  /** What a point weighs without its texts. */
  private static final long POINT_BYTES = 64;

  static Batch of(List<MetricPoint> points) {
    int[] ends = new int[Math.min(1, points.size())];
    int blocks = 0;
    long bytes = 0;
    Problem unfit = null;
    AttemptRef attempt = null;
    for (int i = 0; i < points.size(); i++) {
      MetricPoint point = points.get(i);
      if (!point.attempt().equals(attempt)) {
        attempt = point.attempt();
        if (blocks == ends.length) {
          ends = Arrays.copyOf(ends, 2 * blocks);
        }
        blocks++;
      }
      ends[blocks - 1] = i + 1;
      bytes += weight(point);
      unfit = unfit == null ? unfit(point, i) : unfit;
    }
    return new Batch(points, Arrays.copyOf(ends, blocks), bytes, unfit);
  }

  private static long weight(MetricPoint point) {
    String document = point.value().document();
    String parameter = point.parameterId();
    return POINT_BYTES
        + point.source().length()
        + (parameter == null ? 0 : parameter.length())
        + (document == null ? 0 : document.length());
  }

  private static @Nullable Problem unfit(MetricPoint point, int index) {
    String document = point.value().document();
    String parameter = point.parameterId();
    if (document != null && document.length() > MAX_DOCUMENT) {
      return new Problem.TooLarge(
          "the value of point "
              + index
              + " has "
              + document.length()
              + " characters, at most "
              + MAX_DOCUMENT
              + " are stored");
    }
    if (point.source().length() > MAX_NAME
        || (parameter != null && parameter.length() > MAX_NAME)) {
      return new Problem.TooLarge(
          "point "
              + index
              + " names a source or parameter set of more than "
              + MAX_NAME
              + " characters");
    }
    if (point.ordinal() < 0 || point.ordinal() == Long.MAX_VALUE) {
      return new Problem.Refused(
          new Finding(
              "/points/" + index + "/ordinal", "an ordinal counts from 0, not " + point.ordinal()));
    }
    return null;
  }
}
