package io.orrery.tuner.assess.curve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A forecast of how a learning curve will go on: every {@link Family} is laid through it, those
 * that lie far off the curve are left out, and the rest is averaged by how well each explains the
 * curve for the number of its parameters (weights by the Bayesian information criterion, Schwarz
 * 1978). NNI samples such weights by Markov chains; these are the same each time, and cost nothing.
 */
final class Extrapolation {
  /** Of more points than this, equally spaced ones are looked at. */
  private static final int MOST_POINTS = 100;

  /** Fewer families that describe it are no evidence, as in NNI. */
  private static final int FEWEST = 4;

  /** The least error that a family is believed to have, in parts of the curve's range. */
  private static final double LEAST_ERROR = 1e-4;

  /** Above it sums and differences of a few numbers may be infinite. */
  private static final double HUGE = 1e300;

  private static final double SMALLER = 0x1.0p-64;

  /** A family that misses the points by more, in parts of the range, does not describe them. */
  private static final double POOR = 0.2;

  private record Guess(double value, double criterion) {}

  private Extrapolation() {}

  /**
   * Continues a curve.
   *
   * @param gains larger is better, by step from 1; what is not finite is passed over
   * @return the gain at a later step; empty when too few families agree on it
   */
  static OptionalDouble at(int later, double[] gains) {
    int[] steps = usable(gains);
    for (int step : steps) {
      if (Math.abs(gains[step]) > HUGE) {
        // Smaller by a power of two, which is exact, so that no difference is infinite.
        double[] smaller = Arrays.stream(gains).map(gain -> gain * SMALLER).toArray();
        OptionalDouble value = at(later, smaller);
        return value.isEmpty() ? value : OptionalDouble.of(value.getAsDouble() / SMALLER);
      }
    }
    if (steps.length < FEWEST) {
      return OptionalDouble.empty();
    }
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int step : steps) {
      low = Math.min(low, gains[step]);
      high = Math.max(high, gains[step]);
    }
    double range = high - low;
    if (!(range > 0)) {
      return OptionalDouble.of(low);
    }
    // From 1 to 2: some families are of positive values, and all are searched in their own scale.
    double[] x = new double[steps.length];
    double[] y = new double[steps.length];
    for (int i = 0; i < steps.length; i++) {
      x[i] = steps[i] + 1;
      y[i] = 1 + (gains[steps[i]] - low) / range;
    }
    double floor = low - range;
    OptionalDouble value = average(guesses(later, x, y));
    return value.isEmpty() ? value : OptionalDouble.of(floor + value.getAsDouble() * range);
  }

  private static int[] usable(double[] gains) {
    int[] steps = new int[gains.length];
    int count = 0;
    for (int i = 0; i < gains.length; i++) {
      if (Double.isFinite(gains[i])) {
        steps[count++] = i;
      }
    }
    int[] found = Arrays.copyOf(steps, count);
    if (count <= MOST_POINTS) {
      return found;
    }
    int[] thinned = new int[MOST_POINTS];
    for (int i = 0; i < MOST_POINTS; i++) {
      thinned[i] = found[(int) ((long) i * (count - 1) / (MOST_POINTS - 1))];
    }
    return thinned;
  }

  private static List<Guess> guesses(int later, double[] x, double[] y) {
    List<Guess> guesses = new ArrayList<>();
    int points = x.length;
    for (Family family : Family.values()) {
      Fit fit = new Fit(family, x, y);
      double variance = Math.max(fit.error() / points, LEAST_ERROR * LEAST_ERROR);
      double value = fit.at(later);
      if (Double.isFinite(value) && variance <= POOR * POOR) {
        guesses.add(
            new Guess(value, points * Math.log(variance) + family.parameters() * Math.log(points)));
      }
    }
    return guesses;
  }

  private static OptionalDouble average(List<Guess> guesses) {
    if (guesses.size() < FEWEST) {
      return OptionalDouble.empty();
    }
    double best = guesses.stream().mapToDouble(Guess::criterion).min().orElseThrow();
    double sum = 0;
    double weights = 0;
    for (Guess guess : guesses) {
      double weight = Math.exp((best - guess.criterion()) / 2);
      sum += weight * guess.value();
      weights += weight;
    }
    return OptionalDouble.of(sum / weights);
  }
}
