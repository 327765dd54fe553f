package io.orrery.tuner.search.bohb;

import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Gaussian;

/** A scale as the share of the draws that lie below. */
final class Unit {
  private Unit() {}

  static double of(Axis axis, double coordinate) {
    Numeric numeric = (Numeric) axis.dimension();
    if (numeric instanceof RandInt range) {
      return (coordinate + 0.5) / range.size();
    }
    return switch (Prior.of(numeric)) {
      case Prior.Flat(double low, double high) -> Math.clamp((coordinate - low) / (high - low), 0, 1);
      case Prior.Bell(double mean, double deviation) -> Gaussian.cdf((coordinate - mean) / deviation);
    };
  }

  static double back(Axis axis, double share) {
    Numeric numeric = (Numeric) axis.dimension();
    if (numeric instanceof RandInt range) {
      return Math.min(range.size() - 1, Math.floor(share * range.size()));
    }
    return Prior.of(numeric).quantile(Math.clamp(share, 1e-9, 1 - 1e-9));
  }
}
