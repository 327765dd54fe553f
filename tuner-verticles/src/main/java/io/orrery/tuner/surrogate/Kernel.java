package io.orrery.tuner.surrogate;

import java.util.Arrays;

/** The covariances of a place with each of those that were added. Not thread safe. */
final class Kernel {
  private static final double THIRD = 1 / 3.0;
  private static final int FIRST_ROOM = 32;

  private final Layout layout;
  private final Hyperparameters hyper;
  private final Correlations correlations;

  /** The numbers of the places, for each axis. */
  private final double[][] columns;

  private double[] distances = new double[FIRST_ROOM];
  private int size;

  /**
   * @param logarithms as {@link Layout} has them
   */
  Kernel(Layout layout, double[] logarithms) {
    this.layout = layout;
    hyper = Hyperparameters.of(layout, logarithms);
    correlations = new Correlations(layout);
    columns = new double[layout.axes()][FIRST_ROOM];
  }

  /** The variance of the function at any place, without noise. */
  double variance() {
    return hyper.variance();
  }

  /** The variance of an observation about the function. */
  double noise() {
    return hyper.noise();
  }

  /** How many places were added. */
  int size() {
    return size;
  }

  void add(double[] place) {
    if (size == distances.length) {
      Arrays.setAll(columns, axis -> Arrays.copyOf(columns[axis], 2 * size));
      distances = new double[2 * size];
    }
    for (int axis = 0; axis < columns.length; axis++) {
      columns[axis][size] = place[axis];
    }
    size++;
  }

  /** Forgets all places but the first ones. */
  void truncate(int kept) {
    size = kept;
  }

  /**
   * The covariances of the function at a place and at the first of those that were added.
   *
   * @param count how many of them
   */
  double[] row(double[] place, int count) {
    correlations.compute(hyper, count, axis -> distances(axis, place[axis], count));
    double[] row = new double[count];
    correlations.covariances(hyper, row);
    return row;
  }

  private double[] distances(int axis, double at, int count) {
    if (layout.choice()[axis]) {
      differences(at, columns[axis], distances, count);
    } else {
      distances(at, columns[axis], distances, count);
    }
    return distances;
  }

  private static void differences(double at, double[] column, double[] distances, int count) {
    for (int i = 0; i < count; i++) {
      distances[i] = at == column[i] ? 0 : 1;
    }
  }

  private static void distances(double at, double[] column, double[] distances, int count) {
    for (int i = 0; i < count; i++) {
      distances[i] = Math.abs(at - column[i]);
    }
  }

  /**
   * The covariances with all places, and their derivatives by the numbers of the place.
   *
   * @param slopes receives for each axis those of the covariances, as many as there are places; 0
   *     for choices
   */
  double[] row(double[] place, double[][] slopes) {
    double[] row = row(place, size);
    for (int axis = 0; axis < slopes.length; axis++) {
      slopes[axis] = new double[size];
      if (!layout.choice()[axis]) {
        correlations.involving(axis, hyper, slopes[axis]);
        slope(hyper.rates()[axis], place[axis], columns[axis], slopes[axis]);
      }
    }
    return row;
  }

  /**
   * Multiplies with the derivative of an axis's kernel over its value. With s = |t|, that of (1 + s
   * + s²/3) e^-s by t is -(t/3) (1 + s) e^-s.
   */
  private static void slope(double rate, double at, double[] column, double[] slopes) {
    double outer = -rate * THIRD;
    for (int i = 0; i < slopes.length; i++) {
      double distance = rate * (at - column[i]);
      double size = Math.abs(distance);
      slopes[i] *= outer * distance * (1 + size) / (1 + size * (1 + size * THIRD));
    }
  }
}
