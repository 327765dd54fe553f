package io.orrery.tuner.math;

import java.util.Arrays;

/**
 * The rows that a forest grows from, by column, with the order of each column: sorted once for all
 * trees. Immutable once made; its arrays are not to be written.
 */
final class ForestRows {
  private final double[][] columns;
  private final int[] options;
  private final int[][] orders;
  private final double[] values;
  private final double centre;

  ForestRows(double[][] rows, double[] values, int[] options) {
    this.options = options;
    columns = new double[options.length][rows.length];
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < options.length; column++) {
        columns[column][row] = rows[row][column];
      }
    }
    orders = Arrays.stream(columns).map(ForestRows::order).toArray(int[][]::new);
    centre = Arrays.stream(values).average().orElse(0);
    this.values = Arrays.stream(values).map(value -> value - centre).toArray();
  }

  int rows() {
    return values.length;
  }

  int columns() {
    return columns.length;
  }

  /** The number of a column's options, 0 when it holds numbers. */
  int options(int column) {
    return options[column];
  }

  /** A column by row. */
  double[] column(int column) {
    return columns[column];
  }

  /**
   * All rows by rising value of a column, those without one last; of equal ones the first first.
   */
  int[] order(int column) {
    return orders[column];
  }

  /** The values less their mean, so that sums of squares keep their precision. */
  double[] values() {
    return values;
  }

  /** The mean of the values. */
  double centre() {
    return centre;
  }

  /** Merge sort from below; NaN is greater than every number, as {@link Double#compare} has it. */
  private static int[] order(double[] keys) {
    int count = keys.length;
    int[] from = new int[count];
    Arrays.setAll(from, row -> row);
    int[] to = new int[count];
    for (int width = 1; width < count; width *= 2) {
      for (int start = 0; start < count; start += 2 * width) {
        int middle = Math.min(start + width, count);
        int end = Math.min(middle + width, count);
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
          boolean isLeft =
              right == end
                  || (left < middle && Double.compare(keys[from[left]], keys[from[right]]) <= 0);
          to[at] = from[isLeft ? left++ : right++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }
}
