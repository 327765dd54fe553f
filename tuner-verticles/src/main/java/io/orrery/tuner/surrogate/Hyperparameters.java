package io.orrery.tuner.surrogate;

import java.util.Arrays;

/**
 * The hyper-parameters as a kernel computes with them.
 *
 * @param rates what distances along each axis are multiplied with: √5 over the length scale; 1 over
 *     it for choices
 * @param single the weight of each axis's kernel
 * @param paired that of the product of any two of them
 * @param joint that of the product of all
 * @param noise the variance of an observation about the function
 */
record Hyperparameters(double[] rates, double single, double paired, double joint, double noise) {
  private static final double ROOT_FIVE = Math.sqrt(5);

  /**
   * @param logarithms as the layout has them
   */
  static Hyperparameters of(Layout layout, double[] logarithms) {
    int d = layout.axes();
    double[] rates = new double[d];
    Arrays.setAll(
        rates, axis -> (layout.choice()[axis] ? 1 : ROOT_FIVE) / Math.exp(logarithms[axis]));
    return new Hyperparameters(
        rates,
        layout.additive() ? Math.exp(logarithms[layout.single()]) / d : 0,
        layout.additive() ? Math.exp(logarithms[layout.paired()]) * 2 / (d * (d - 1.0)) : 0,
        Math.exp(logarithms[layout.joint()]),
        Math.exp(logarithms[layout.noise()]));
  }

  /** The variance of the function at any place, without noise. */
  double variance() {
    int d = rates.length;
    return single * d + paired * d * (d - 1) / 2 + joint;
  }
}
