package io.orrery.tuner.encode;

import io.orrery.core.number.Lattice;
import io.orrery.core.space.Dimension.LogNormal;
import io.orrery.core.space.Dimension.LogUniform;
import io.orrery.core.space.Dimension.Normal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.Dimension.Uniform;

/**
 * Converts a value that a trial saw back to the coordinate of its axis, when the value is one that
 * the dimension can give.
 *
 * <p>Bounds are exact: a value of ours was clipped to them, and JSON carries doubles without loss.
 * A multiple of q is taken with a relative tolerance of 1e-9, because other programs, and earlier
 * versions of this one, give 0.30000000000000004 for three times 0.1; its coordinate is that of the
 * multiple, whichever way it was written.
 */
final class Raw {
  private static final double TOLERANCE = 1e-9;

  private Raw() {}

  /** The coordinate, or NaN when the value does not lie in the dimension. */
  static double of(Numeric dimension, double value) {
    return switch (dimension) {
      case RandInt(long lower, long upper) ->
          value == Math.rint(value) && value >= lower && value < upper ? value - lower : Double.NaN;
      case Uniform(double low, double high) -> within(value, low, high);
      case QUniform(double low, double high, double q) -> onGrid(value, low, high, q);
      case LogUniform(double low, double high) -> Math.log(within(value, low, high));
      case QLogUniform(double low, double high, double q) -> Math.log(onGrid(value, low, high, q));
      case Normal normal -> finite(value);
      case QNormal(double mu, double sigma, double q) -> onGrid(value, q);
      case LogNormal logNormal -> value > 0 ? Math.log(finite(value)) : Double.NaN;
      case QLogNormal(double mu, double sigma, double q) -> logOfMultiple(onGrid(value, q), q);
    };
  }

  /**
   * Zero has no logarithm: it stands for the draws from 0 to q/2, so their middle represents it.
   */
  private static double logOfMultiple(double value, double q) {
    return value < 0 ? Double.NaN : Math.log(Math.max(value, q / 4));
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  private static double within(double value, double low, double high) {
    return value >= low && value <= high ? value : Double.NaN;
  }

  private static double onGrid(double value, double q) {
    return near(value, Lattice.nearest(value, q), q);
  }

  private static double onGrid(double value, double low, double high, double q) {
    double multiple = Math.clamp(Lattice.nearest(value, q), low, high);
    return near(within(value, low, high), multiple, q);
  }

  private static double near(double value, double exact, double q) {
    return Math.abs(value - exact) <= TOLERANCE * Math.max(q, Math.abs(exact)) ? exact : Double.NaN;
  }
}
