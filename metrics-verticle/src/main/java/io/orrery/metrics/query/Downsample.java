package io.orrery.metrics.query;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * Makes a long series short for a chart and keeps its shape: first and last point, and of each
 * stretch between them the lowest and the highest. This is MinMax aggregation, the part of M4
 * (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014) that
 * decides how far a line reaches; unlike the prettier Largest-Triangle-Three-Buckets it never hides
 * a spike. Stretches hold equally many points.
 */
final class Downsample {
  private Downsample() {}

  /**
   * Chooses points.
   *
   * @param length how many there are
   * @param most how many to choose, 2 or more
   * @param value the number of a point; of a stretch without any number but NaN the first point is
   *     chosen, so that the gap is seen
   * @return ascending indices, at most {@code most}; all when there are no more than that
   */
  static int[] choose(int length, int most, IntToDoubleFunction value) {
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
      int from = 1 + (int) ((long) inner * s / stretches);
      int to = 1 + (int) ((long) inner * (s + 1) / stretches);
      int low = from;
      int high = from;
      for (int i = from + 1; i < to; i++) {
        double number = value.applyAsDouble(i);
        if (number < value.applyAsDouble(low) || Double.isNaN(value.applyAsDouble(low))) {
          low = i;
        }
        if (number > value.applyAsDouble(high) || Double.isNaN(value.applyAsDouble(high))) {
          high = i;
        }
      }
      chosen[count++] = Math.min(low, high);
      if (low != high) {
        chosen[count++] = Math.max(low, high);
      }
    }
    chosen[count++] = length - 1;
    return Arrays.copyOf(chosen, count);
  }
}
