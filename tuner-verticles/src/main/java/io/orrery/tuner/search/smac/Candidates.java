package io.orrery.tuner.search.smac;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Vicinity;
import io.orrery.tuner.math.Forest;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Rows that might be tried, with the improvement that a forest expects of each: draws of the whole
 * space, draws about the best trials, and then, in rounds, neighbours of the best candidates that
 * differ from them in one parameter or two.
 *
 * <p>Forests are flat between their cuts, so a climb by slopes is impossible; neighbourhoods of
 * many sizes, the largest of them shrinking as trials come in, take its place.
 */
final class Candidates {
  private static final int ANYWHERE = 300;
  private static final int ABOUT_TRIALS = 400;
  private static final int ROUNDS = 2;
  private static final int CLIMBING = 10;
  private static final int NEIGHBOURS = 8;
  private static final double MEAN_RANK = 2.5;
  private static final double COOLING = 0.1;
  private static final double EXCHANGED = 1.5;
  private static final double ANEW = 0.5;

  private final Vicinity vicinity;
  private final Forest forest;
  private final double best;
  private final double width;
  private final Rng rng;
  private final List<Candidate> all = new ArrayList<>();

  private record Candidate(double[] row, double improvement) {}

  /**
   * @param best the least that was seen
   * @param trials how many results there are
   */
  Candidates(Vicinity vicinity, Forest forest, double best, int trials, Rng rng) {
    this.vicinity = vicinity;
    this.forest = forest;
    this.best = best;
    this.width = 1 / (1 + COOLING * trials);
    this.rng = rng;
  }

  /**
   * Thinks of candidates.
   *
   * @param trials rows that were tried, best first
   */
  Candidates near(List<double[]> trials) {
    for (int i = 0; i < ANYWHERE; i++) {
      add(vicinity.anywhere(rng));
    }
    for (int i = 0; i < ABOUT_TRIALS; i++) {
      double rank = Math.floor(Math.log(rng.nextOpen()) / Math.log(1 - 1 / MEAN_RANK));
      double[] from =
          Vicinity.completed(trials.get((int) Math.min(rank, trials.size() - 1)), trials);
      add(
          vicinity.draw(
              from, i % 2 == 0 ? whole(octaves(2, -2)) : exchange(from, octaves(2, -2)), rng));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Candidate candidate : sorted().limit(CLIMBING).toList()) {
        for (int i = 0; i < NEIGHBOURS; i++) {
          add(vicinity.draw(candidate.row(), exchange(candidate.row(), octaves(1, -4)), rng));
        }
      }
    }
    return this;
  }

  /** The rows, those that promise most first. */
  Stream<double[]> bestFirst() {
    return sorted().map(Candidate::row);
  }

  private Stream<Candidate> sorted() {
    return all.stream().sorted(Comparator.comparingDouble(Candidate::improvement).reversed());
  }

  /** A width between so many doublings of the usual one. */
  private double octaves(int most, int least) {
    return Math.min(1, width * Math.pow(2, most + (least - most) * rng.nextDouble()));
  }

  /** All parameters at once. */
  private static ToDoubleFunction<Axis> whole(double reach) {
    return axis -> reach;
  }

  /** A parameter or two. */
  private ToDoubleFunction<Axis> exchange(double[] from, double reach) {
    double share = EXCHANGED / from.length;
    return axis -> {
      if (rng.nextDouble() >= share) {
        return 0;
      }
      return axis.dimension() instanceof Choice ? Math.max(ANEW, reach) : reach;
    };
  }

  private void add(double[] row) {
    Forest.Estimate estimate = forest.estimate(row);
    double deviation = Math.sqrt(estimate.variance() + 1e-12);
    double z = (best - estimate.mean()) / deviation;
    double density = Math.exp(Gaussian.logDensity(z));
    all.add(new Candidate(row, deviation * (z * Gaussian.cdf(z) + density)));
  }
}
