package io.orrery.tuner.search;

import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Chooses the branch of a nested choice to follow: each as likely as its next trial would improve
 * on the best so far by a margin, if its losses were normally distributed.
 *
 * <p>The share of a branch among the good trials, by which other parameters go, would be misleading
 * here. A branch in which something fair is found at once would fill the good trials and be refined
 * for ever, while another, better where it is good, has shown only its bad sides yet. Its losses
 * still vary, though, and that is what gives it a chance; those of a branch that is used up do not.
 *
 * <p>Losses count from the best, in units of what is ordinary: the median over the branches of
 * their medians, so that it does not matter how often each was tried. One more trial, ordinary but
 * very uncertain, stands for what is not known of each branch.
 */
public final class Branches {
  /** By how much a trial would have to be better: as much as an ordinary one is worse. */
  private static final double MARGIN = 1;

  /** The variance of the trial that stands for what is not known. */
  private static final double UNKNOWN = 4;

  /**
   * The most that a loss counts, in units of an ordinary one, lest a disaster passes for promise.
   */
  private static final double WORST = 4;

  private static final double LEAST_VARIANCE = 1e-6;

  private final List<List<Double>> losses;
  private final double priorWeight;
  private double best = Double.POSITIVE_INFINITY;

  /**
   * @param priorWeight how many trials stand for what is not known
   */
  public Branches(int count, double priorWeight) {
    this.losses =
        Stream.generate(() -> (List<Double>) new ArrayList<Double>()).limit(count).toList();
    this.priorWeight = Math.max(priorWeight, Double.MIN_NORMAL);
  }

  /** Adds a trial; those of a branch in the order of their losses. */
  public void add(int branch, double loss) {
    if (Double.isFinite(loss)) {
      losses.get(branch).add(loss);
      best = Math.min(best, loss);
    }
  }

  /** Draws a branch. */
  public int draw(Rng rng) {
    double scale = halfDistance(ordinary());
    double[] chances = losses.stream().mapToDouble(own -> chance(own, scale)).toArray();
    double rest = rng.nextDouble() * Arrays.stream(chances).sum();
    int branch = 0;
    while (branch < chances.length - 1 && rest >= chances[branch]) {
      rest -= chances[branch++];
    }
    return branch;
  }

  /** Half of what a loss is above the best; the whole may be more than the largest number. */
  private double halfDistance(double loss) {
    return loss / 2 - best / 2;
  }

  private double ordinary() {
    double[] medians =
        losses.stream()
            .filter(own -> !own.isEmpty())
            .mapToDouble(own -> own.get(own.size() / 2))
            .sorted()
            .toArray();
    return medians.length == 0 ? best : medians[medians.length / 2];
  }

  private double chance(List<Double> own, double scale) {
    double weight = own.size() + priorWeight;
    double sum = priorWeight;
    double squares = (1 + UNKNOWN) * priorWeight;
    for (double loss : own) {
      double relative = scale > 0 ? Math.min(WORST, halfDistance(loss) / scale) : 0;
      sum += relative;
      squares += relative * relative;
    }
    double mean = sum / weight;
    double variance = Math.max(LEAST_VARIANCE, squares / weight - mean * mean);
    return Gaussian.cdf((-MARGIN - mean) / Math.sqrt(variance)) + Double.MIN_NORMAL;
  }
}
