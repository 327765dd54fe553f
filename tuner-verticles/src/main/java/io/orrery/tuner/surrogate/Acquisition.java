package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Gaussian;

/** A measure of how much it is worth to look at a place, given what is believed of its value. */
public sealed interface Acquisition {
  /**
   * A worth; only comparisons mean something.
   *
   * @param value more is better
   * @param byMean its derivative by the mean of the belief
   * @param byDeviation its derivative by the deviation
   */
  record Worth(double value, double byMean, double byDeviation) {}

  /** The worth of a place where less is better. */
  Worth of(double mean, double deviation);

  /**
   * The logarithm of how far below a threshold the value is expected to fall (Ament et al.:
   * "Unexpected improvements to expected improvement for Bayesian optimization", NeurIPS 2023). The
   * plain expectation vanishes in most of a space; its logarithm has a slope everywhere.
   */
  record ExpectedImprovement(double threshold) implements Acquisition {
    private static final double TAIL = -2;
    private static final int LEAST_DEPTH = 8;
    private static final int MORE_DEPTH = 240;

    @Override
    public Worth of(double mean, double deviation) {
      double z = (threshold - mean) / deviation;
      if (z > TAIL) {
        double density = Math.exp(Gaussian.logDensity(z));
        double share = Gaussian.cdf(z);
        double expected = density + z * share;
        return new Worth(
            Math.log(deviation * expected),
            -share / (deviation * expected),
            density / (deviation * expected));
      }
      // The share below z is density / (x + c), with Laplace's continued fraction c of the tail.
      double x = -z;
      double c = tail(x);
      return new Worth(
          Math.log(deviation) + Gaussian.logDensity(z) + Math.log(c / (x + c)),
          -1 / (deviation * c),
          (x + c) / (deviation * c));
    }

    /** Laplace's fraction, which ends the sooner the further away: the error is below 1e-9. */
    private static double tail(double x) {
      double fraction = x;
      for (int depth = LEAST_DEPTH + (int) (MORE_DEPTH / (x * x)); depth > 1; depth--) {
        fraction = x + depth / fraction;
      }
      return 1 / fraction;
    }
  }

  /** The logarithm of the probability that the value falls below a threshold (Kushner, 1964). */
  record ProbabilityOfImprovement(double threshold) implements Acquisition {
    private static final double LEAST = 1e-300;

    @Override
    public Worth of(double mean, double deviation) {
      double z = (threshold - mean) / deviation;
      double share = Math.max(Gaussian.cdf(z), LEAST);
      double ratio = Math.exp(Gaussian.logDensity(z)) / share;
      return new Worth(Math.log(share), -ratio / deviation, -ratio * z / deviation);
    }
  }

  /**
   * A bound of what the value may be at best, so many deviations below the mean (Srinivas et al.:
   * "Gaussian process optimization in the bandit setting", ICML 2010).
   */
  record ConfidenceBound(double deviations) implements Acquisition {
    @Override
    public Worth of(double mean, double deviation) {
      return new Worth(deviations * deviation - mean, -1, deviations);
    }
  }
}
