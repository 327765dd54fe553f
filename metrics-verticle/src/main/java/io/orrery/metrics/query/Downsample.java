package io.orrery.metrics.query;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.Arrays;

/**
 * Makes a long series short for a chart and keeps its shape: first and last point, and of each
 * stretch between them the lowest and the highest. This is MinMax aggregation, the part of M4
 * (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014) that
 * decides how far a line reaches; unlike the prettier Largest-Triangle-Three-Buckets it never hides
 * a spike. Stretches hold equally many points.
 */
final class Downsample {
  /** The fewest points that can be asked for: the first and the last. */
  static final int LEAST = 2;

  private Downsample() {}

  /** The answer to who asks for fewer. */
  static <T> Future<T> tooFew(int most) {
    return Future.failedFuture(
        new Problem.Refused(new Finding("/maxPoints", "2 or more, not " + most)).toException());
  }

  /**
   * Chooses points.
   *
   * @param values the numbers of all; of a stretch without any number but NaN one point is chosen,
   *     so that the gap is seen
   * @param first where the series begins among them
   * @param length how many points it has
   * @param most how many to choose, 2 or more
   * @return ascending indices, counted from {@code first}, at most {@code most}; all when there are
   *     no more than that
   */
  static int[] choose(double[] values, int first, int length, int most) {
    int[] chosen = new int[Math.min(length, most)];
    if (length <= most) {
      Arrays.setAll(chosen, i -> i);
      return chosen;
    }
    int count = 0;
    chosen[count++] = 0;
    int inner = length - 2;
    int stretches = (most - 2) / 2;
    for (int s = 0; s < stretches; s++) {
      int from = first + 1 + (int) ((long) inner * s / stretches);
      int to = first + 1 + (int) ((long) inner * (s + 1) / stretches);
      int low = firstNumber(values, from, to);
      int high = low;
      double lowest = values[low];
      double highest = lowest;
      for (int i = low + 1; i < to; i++) {
        double number = values[i];
        if (number < lowest) {
          low = i;
          lowest = number;
        } else if (number > highest) {
          high = i;
          highest = number;
        }
      }
      chosen[count++] = Math.min(low, high) - first;
      if (low != high) {
        chosen[count++] = Math.max(low, high) - first;
      }
    }
    chosen[count++] = length - 1;
    return Arrays.copyOf(chosen, count);
  }

  /** The first one that is not NaN; the first one when all are. */
  private static int firstNumber(double[] values, int from, int to) {
    int at = from;
    while (at < to && Double.isNaN(values[at])) {
      at++;
    }
    return at < to ? at : from;
  }
}
