package io.orrery.core.number;

import java.math.BigDecimal;

/**
 * The multiples of a step q, each the double that is nearest to the decimal k·q: three steps of 0.1
 * are 0.3. (The product of doubles, which NumPy and NNI take, is 0.30000000000000004 and has other
 * digits than a person or another program would write.) Two values are the same multiple when their
 * {@link #index} is the same.
 *
 * <p>Beyond 2^53 steps from zero whole numbers are not exact as doubles; there the product is taken
 * as it is, but kept finite.
 */
public final class Lattice {
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private Lattice() {}

  /** How many steps the nearest multiple is from zero, a whole number; half rounds to even. */
  public static double index(double value, double q) {
    return Math.rint(value / q);
  }

  /** The multiple of q that is nearest to a value. */
  public static double nearest(double value, double q) {
    return at(index(value, q), q);
  }

  /**
   * The multiple of a number of steps.
   *
   * @param index a whole number
   * @param q above 0
   */
  public static double at(double index, double q) {
    if (!(Math.abs(index) < Numbers.MOST_EXACT)) {
      return Math.clamp(index * q, -Double.MAX_VALUE, Double.MAX_VALUE);
    }
    // q is whole / power, both exact; so is index * whole, and one division rounds correctly.
    for (double power : POWERS) {
      double whole = Math.rint(q * power);
      if (!(whole < Numbers.MOST_EXACT)) {
        break;
      }
      if (whole / power == q) {
        double product = index * whole;
        if (Math.abs(product) < Numbers.MOST_EXACT) {
          return product / power + 0.0;
        }
        break;
      }
    }
    double exact = BigDecimal.valueOf(q).multiply(BigDecimal.valueOf((long) index)).doubleValue();
    return Math.clamp(exact, -Double.MAX_VALUE, Double.MAX_VALUE);
  }
}
