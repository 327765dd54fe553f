package io.orrery.tuner.surrogate;

import java.util.Arrays;

/**
 * Brings losses to a scale on which a Gaussian process can explain them.
 *
 * <p>Losses are often spread over powers of ten, with a few enormous ones, and then a model that
 * has to explain the enormous ones is blind to what matters. They go through the power
 * transformation of Box and Cox ("An analysis of transformations", 1964), counted from just below
 * the best of them, with the exponent from 0 (the logarithm) to 1 (as they are) that makes them
 * look most normal; then to mean 0 and variance 1. HEBO (Cowen-Rivers et al., JAIR 2022) showed how
 * much this is worth for tuning.
 *
 * <p>A trial that gave no number, or an infinite one, counts as bad as the worst: near it there is
 * nothing to be had.
 */
final class Warp {
  /** How far below the best the scale begins, in distances from the best to the median. */
  private static final double START = 0.05;

  /** How far above the best it ends, in the same distance: what is worse is all the same. */
  private static final double FURTHEST = 1e12;

  /** So that differences of losses are still numbers. */
  private static final double GREATEST = 1e150;

  private static final double[] EXPONENTS = {1, 0.75, 0.5, 0.25, 0};

  private Warp() {}

  /** The warped losses, less is better; all 0 when there is no difference between them. */
  static double[] warp(double[] losses) {
    double[] finite =
        Arrays.stream(losses).filter(Double::isFinite).map(Warp::bounded).sorted().toArray();
    if (finite.length == 0 || finite[0] == finite[finite.length - 1]) {
      return plain(losses, finite);
    }
    double best = finite[0];
    double worst = finite[finite.length - 1];
    double scale = finite[finite.length / 2] - best;
    if (!(scale > 0)) {
      scale = worst - best;
    }
    double[] positive = new double[losses.length];
    for (int i = 0; i < losses.length; i++) {
      double loss = losses[i] == Double.NEGATIVE_INFINITY ? best : losses[i];
      double above = (Double.isFinite(loss) ? bounded(loss) : worst) - best;
      positive[i] = Math.min(above / scale, FURTHEST) + START;
    }
    double[] chosen = positive;
    double likeliest = Double.NEGATIVE_INFINITY;
    double logs = Arrays.stream(positive).map(Math::log).sum();
    for (double exponent : EXPONENTS) {
      double[] powers = power(positive, exponent);
      double likelihood = (exponent - 1) * logs - 0.5 * losses.length * Math.log(variance(powers));
      if (likelihood > likeliest) {
        likeliest = likelihood;
        chosen = powers;
      }
    }
    double mean = Arrays.stream(chosen).average().orElse(0);
    double deviation = Math.sqrt(variance(chosen));
    return Arrays.stream(chosen).map(value -> (value - mean) / deviation).toArray();
  }

  /** Without two different numbers: only whether there was one. */
  private static double[] plain(double[] losses, double[] finite) {
    double[] values = new double[losses.length];
    if (finite.length > 0) {
      Arrays.setAll(values, i -> Double.isFinite(losses[i]) || losses[i] < 0 ? 0 : 1);
    }
    return values;
  }

  private static double bounded(double loss) {
    return Math.clamp(loss, -GREATEST, GREATEST);
  }

  private static double[] power(double[] values, double exponent) {
    return Arrays.stream(values)
        .map(v -> exponent == 0 ? Math.log(v) : (Math.pow(v, exponent) - 1) / exponent)
        .toArray();
  }

  private static double variance(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
  }
}
