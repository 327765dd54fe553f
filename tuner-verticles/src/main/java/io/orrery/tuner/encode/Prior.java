package io.orrery.tuner.encode;

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
import io.orrery.tuner.math.Gaussian;

/** A prior of a numeric dimension on its raw scale, where it is uniform or normal. */
public sealed interface Prior {
  /** The raw value below which lies the share {@code p} of the draws; p from 0 to 1. */
  double quantile(double p);

  /** The share of the draws that lie below a raw value: the inverse of {@link #quantile}. */
  double share(double raw);

  /** A prior that takes every value in [low, high] alike. */
  record Flat(double low, double high) implements Prior {
    @Override
    public double quantile(double p) {
      return low * (1 - p) + high * p;
    }

    @Override
    public double share(double raw) {
      return high > low ? Math.clamp((raw - low) / (high - low), 0, 1) : 0.5;
    }
  }

  /** A normal and unbounded prior. */
  record Bell(double mean, double deviation) implements Prior {
    @Override
    public double quantile(double p) {
      return mean + deviation * Gaussian.quantile(p);
    }

    @Override
    public double share(double raw) {
      return Gaussian.cdf((raw - mean) / deviation);
    }
  }

  /** The raw distribution of a dimension. */
  static Prior of(Numeric dimension) {
    return switch (dimension) {
      case RandInt(long lower, long upper) -> new Flat(lower, upper);
      case Uniform(double low, double high) -> new Flat(low, high);
      case QUniform(double low, double high, double q) -> new Flat(low, high);
      case LogUniform(double low, double high) -> new Flat(Math.log(low), Math.log(high));
      case QLogUniform(double low, double high, double q) ->
          new Flat(Math.log(low), Math.log(high));
      case Normal(double mu, double sigma) -> new Bell(mu, sigma);
      case QNormal(double mu, double sigma, double q) -> new Bell(mu, sigma);
      case LogNormal(double mu, double sigma) -> new Bell(mu, sigma);
      case QLogNormal(double mu, double sigma, double q) -> new Bell(mu, sigma);
    };
  }
}
