package io.orrery.tuner.surrogate;

import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An explanation of warped losses as a trend and a rest, on a scale on which the rest has variance
 * 1.
 *
 * @param trend on that scale
 * @param unit the deviation of the rest, in warped losses
 */
record TrendFit(Trend trend, double unit) {
  /** Without a trend. */
  static final TrendFit PLAIN = new TrendFit(Trend.NONE, 1);

  /** So that a rest of rounding errors is not taken for knowledge. */
  private static final double LEAST_UNIT = 0.02;

  /** What the freedom to choose a trend costs, in logarithms of likelihood. */
  private static final double COST = 2;

  /** About the trend of sources; null when they say nothing. */
  static @Nullable TrendFit about(Sources sources, List<Observation> sample) {
    List<double[]> places = sample.stream().map(Observation::place).toList();
    double[] values = Warp.warp(Surrogate.losses(sample));
    Sources.Mixture trend = sources.trend(places, values);
    if (trend == null) {
      return null;
    }
    double[] rest = new double[values.length];
    Arrays.setAll(rest, i -> values[i] - trend.at(places.get(i)));
    double mean = Arrays.stream(rest).average().orElse(0);
    double square = Arrays.stream(rest).map(r -> (r - mean) * (r - mean)).average().orElse(0);
    double unit = Math.clamp(Math.sqrt(square), LEAST_UNIT, 1);
    return new TrendFit(trend.times(1 / unit), unit);
  }

  /** Warped losses on this scale. */
  double[] scaled(double[] warped) {
    return unit == 1 ? warped : Arrays.stream(warped).map(value -> value / unit).toArray();
  }

  /** What observations say of the rest. */
  LogEvidence evidence(Layout layout, List<Observation> sample) {
    List<double[]> places = sample.stream().map(Observation::place).toList();
    double[] rest = scaled(Warp.warp(Surrogate.losses(sample)));
    Arrays.setAll(rest, i -> rest[i] - trend.at(places.get(i)));
    return new LogEvidence(layout, places, rest);
  }

  /** What is added to the evidence: of the change of scale, and of the choice. */
  double cost(int observations) {
    return trend.equals(Trend.NONE) ? 0 : COST + observations * Math.log(unit);
  }
}
