package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hyper-parameters that explain a sample of observations best, as a {@link TrendFit} sees them,
 * and the Gaussian processes that follow. Not thread safe.
 */
final class Explanation {
  private static final int EVALUATIONS = 30;

  private final Layout layout;
  private final TrendFit fit;
  private final LogEvidence evidence;
  private final int sampled;
  private final double[] likeliest;
  private double @Nullable [] deviations;
  private @Nullable GaussianProcess trusted;

  /** Fits them, always from the middle of their priors. */
  Explanation(Layout layout, TrendFit fit, List<Observation> sample) {
    this.layout = layout;
    this.fit = fit;
    evidence = fit.evidence(layout, sample);
    sampled = sample.size();
    likeliest = evidence.fit(EVALUATIONS);
  }

  /** How badly the sample is explained, as a negative logarithm of likelihood. */
  double loss() {
    return evidence.at(likeliest, new double[likeliest.length]) + fit.cost(sampled);
  }

  /** There are other observations than before. */
  void renew() {
    trusted = null;
  }

  /** What is believed after observations with the likeliest hyper-parameters. */
  GaussianProcess likeliest(List<Observation> used) {
    GaussianProcess known = trusted;
    if (known == null) {
      known = process(likeliest, used);
      trusted = known;
    }
    return known;
  }

  /** The same with some that were drawn from all those that explain the sample. */
  GaussianProcess drawn(List<Observation> used, Rng rng) {
    double[] known = deviations;
    if (known == null) {
      known = evidence.deviations(likeliest);
      deviations = known;
    }
    double[] drawn = likeliest.clone();
    for (int i = 0; i < drawn.length; i++) {
      double moved = drawn[i] + known[i] * rng.nextGaussian();
      drawn[i] = Math.clamp(moved, layout.low(i), layout.high(i));
    }
    return process(drawn, used);
  }

  private GaussianProcess process(double[] hyper, List<Observation> used) {
    return new GaussianProcess(
        new Kernel(layout, hyper),
        used.stream().map(Observation::place).toList(),
        fit.scaled(Warp.warp(Surrogate.losses(used))),
        fit.trend());
  }
}
