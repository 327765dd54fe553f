package io.orrery.tuner.search.tpe;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Branches;
import io.orrery.tuner.search.tpe.Observations.Observation;
import io.orrery.tuner.search.tpe.UnitAxis.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * A model that takes all parameters together, so that what goes well together is tried together
 * (Falkner, Klein, Hutter: "BOHB", ICML 2018; Watanabe: "Tree-structured Parzen estimator:
 * understanding its algorithm components and their roles for better empirical performance", arXiv
 * 2304.11127).
 *
 * <ul>
 *   <li><b>Nested choices first.</b> A branch is drawn as likely as it would beat the best trial so
 *       far ({@link Branches}). All that follows is learnt from the trials that took the same
 *       branches, so that each branch has good trials of its own, and its parameters are seen
 *       together with those outside of it. While a branch has only a few trials, all trials count.
 *   <li><b>The best weigh most.</b> The weight of a good trial falls with the square of its rank,
 *       which leads to where the best are without giving up the others, much as an expected
 *       improvement would weigh them.
 *   <li><b>Kernels shrink with what is found.</b> They are as wide as the good trials are spread
 *       (Scott's rule), by axis; some of the spread of the whole space is mixed in, which counts
 *       while there are few, and a floor shrinks with the number of trials ("magic clipping") lest
 *       the search gets stuck.
 *   <li><b>One yardstick.</b> The bad trials have kernels of the same width. With a rule of their
 *       own they would be laid out wide, the other density would be flat where the good ones are,
 *       and the search would crowd at the best point so far; so it keeps off what it has tried.
 *   <li><b>A bad trial speaks against its own options.</b> On choices the kernels of bad trials
 *       hardly leave their option, those of good ones readily do. So where an option goes on
 *       disappointing, others are tried at the same place; with equal kernels both densities would
 *       fall alike from one option to the next, and the search would stay with the first that
 *       looked fair.
 *   <li><b>Integers are ordered</b>, and a candidate is judged by the value that it stands for.
 * </ul>
 *
 * <p>Of the bad trials at most {@value #MOST_BAD} are used, which bounds the time of a suggestion:
 * the better half of them from the best on, without gaps, and the rest at even distances, each for
 * as many as it stands for.
 *
 * <p>Measured with {@code benchmarks/run search} on the problems that its page tells of, and on
 * twelve more formulas, which kept the rules from fitting the former alone.
 */
final class Joint implements Model {
  /** A branch with fewer trials than this learns from those of other branches too. */
  private static final int FEW = 4;

  /**
   * How much the better of good trials weigh more: the power of the rank, the best ranking last.
   */
  private static final double EMPHASIS = 2;

  /** How many trials, spread over the whole space, the width of the kernels is mixed with. */
  private static final double SPREAD_TRIALS = 0.5;

  /** The variance of the uniform distribution from 0 to 1. */
  private static final double UNIFORM = 1.0 / 12;

  /** No kernel is narrower than this share of the space, nor than half of one over all trials. */
  private static final double NARROWEST = 0.005;

  /** How likely the kernel of a good trial leaves an option. */
  private static final double GOOD_LEAVES = 0.3;

  /** The same of a bad trial. */
  private static final double BAD_LEAVES = 0.1;

  private static final int MOST_BAD = 256;

  private final Axes axes;
  private final TpeOptions options;
  private final LatinHypercube start;
  private final List<UnitAxis> units;

  Joint(Axes axes, TpeOptions options, long seed) {
    this.axes = axes;
    this.options = options;
    start = new LatinHypercube(axes, seed, options.startup());
    units = axes.all().stream().map(UnitAxis::of).toList();
  }

  @Override
  public double[] remembered(double[] point) {
    double[] remembered = point.clone();
    for (int a = 0; a < point.length; a++) {
      remembered[a] = Double.isNaN(point[a]) ? point[a] : units.get(a).unit(point[a]);
    }
    return remembered;
  }

  @Override
  public double[] propose(long number, Observations history, Predicate<double[]> free, Rng rng) {
    if (history.ended() < Math.max(1, options.startup())) {
      return start.point(number, rng);
    }
    Descent descent = new Descent(history.byLoss(options.liar()), rng.split(0));
    double[] branches = axes.point(descent::coordinate);
    return complete(branches, descent, history.ended(), free, rng.split(1));
  }

  /** The way down through nested choices: which branches, and the trials that took the same. */
  private final class Descent {
    private final Rng rng;
    private final List<UnitAxis> below = new ArrayList<>();
    private List<Observation> same;

    Descent(List<Observation> all, Rng rng) {
      this.same = all;
      this.rng = rng;
    }

    /** A branch where there are some; 0 to be replaced for all other axes. */
    double coordinate(Axis axis) {
      if (!(axis.dimension() instanceof Choice choice && choice.nested())) {
        below.add(units.get(axis.index()));
        return 0;
      }
      int branch = branch(axis, choice.options().size());
      List<Observation> taken =
          same.stream().filter(o -> o.point()[axis.index()] == branch).toList();
      if (taken.size() >= FEW) {
        same = taken;
      }
      return branch;
    }

    private int branch(Axis axis, int count) {
      Branches branches = new Branches(count, options.priorWeight());
      for (Observation trial : same) {
        double branch = trial.point()[axis.index()];
        if (!trial.running() && !Double.isNaN(branch)) {
          branches.add((int) branch, trial.loss());
        }
      }
      return branches.draw(rng);
    }
  }

  /** How many trials are good; those that run count as none. */
  private int good(List<Observation> byLoss) {
    int ended = 0;
    for (Observation observation : byLoss) {
      ended += observation.running() ? 0 : 1;
    }
    return (int)
        Math.min(Math.ceil(options.gamma() * Math.sqrt(ended)), Math.min(ended, options.memory()));
  }

  private double[] complete(
      double[] branches, Descent descent, int all, Predicate<double[]> free, Rng rng) {
    List<UnitAxis> below = descent.below;
    int limit = good(descent.same);
    // Copies, since what is gone through often is a view of a view otherwise.
    List<Observation> few = List.copyOf(descent.same.subList(0, limit));
    double[] widths = widths(below, few, all);
    double prior = Math.max(options.priorWeight(), Double.MIN_NORMAL);
    Kernels where = new Kernels(below, few, byRank(limit), widths, GOOD_LEAVES, prior);
    List<Observation> rest = descent.same.subList(limit, descent.same.size());
    // Halfway between equal weights and equal shares of the two densities: with equal weights what
    // is unknown would look as good as there are more bad trials than good ones.
    double priorOfBad = prior * Math.sqrt(Math.max(1.0, rest.size() / Math.max(1.0, limit)));
    Kernels whereNot = bad(below, rest, widths, priorOfBad);
    return best(branches, below, where, whereNot, free, rng);
  }

  /**
   * The candidate at which the good density exceeds the bad one most; one that is not free only if
   * none is. The bad density, which costs most, is never below the prior's part of it: so a
   * candidate has a bound, and once the highest gain exceeds the bounds of all others they are done
   * with. Nor is it needed in full where a part of it shows that a gain is not the highest.
   */
  private double[] best(
      double[] branches,
      List<UnitAxis> below,
      Kernels where,
      Kernels whereNot,
      Predicate<double[]> free,
      Rng rng) {
    double[][] candidates = new double[options.candidates()][below.size()];
    double[] good = new double[candidates.length];
    double[] bounds = new double[candidates.length];
    for (int i = 0; i < candidates.length; i++) {
      where.draw(rng, candidates[i]);
      good[i] = where.log(candidates[i]);
      bounds[i] = good[i] - whereNot.least(candidates[i]);
    }
    double[] best = branches;
    double highest = Double.NEGATIVE_INFINITY;
    boolean found = false;
    for (int next : descending(bounds)) {
      if (bounds[next] == Double.NEGATIVE_INFINITY || (found && bounds[next] <= highest)) {
        break;
      }
      double enough = found ? good[next] - highest : Double.POSITIVE_INFINITY;
      double gain = good[next] - whereNot.log(candidates[next], enough);
      if (gain > highest || !found) {
        double[] point = completed(branches, below, candidates[next]);
        boolean isFree = free.test(point);
        if (isFree || (!found && gain > highest)) {
          best = point;
          highest = gain;
          found = isFree;
        }
      }
    }
    return best;
  }

  /** The indexes of a few values, the highest first, of equal ones the first. */
  private static int[] descending(double[] values) {
    int[] order = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      int at = i;
      while (at > 0 && values[order[at - 1]] < values[i]) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = i;
    }
    return order;
  }

  private static double[] completed(double[] branches, List<UnitAxis> axes, double[] candidate) {
    double[] point = branches.clone();
    for (int a = 0; a < candidate.length; a++) {
      point[axes.get(a).axis().index()] = axes.get(a).coordinate(candidate[a]);
    }
    return point;
  }

  /** Weights of good trials, the best first, one on average. */
  private static double[] byRank(int count) {
    double[] weights = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      weights[i] = Math.pow(count - i, EMPHASIS);
      sum += weights[i];
    }
    for (int i = 0; i < count; i++) {
      weights[i] *= count / sum;
    }
    return weights;
  }

  private static Kernels bad(
      List<UnitAxis> axes, List<Observation> all, double[] widths, double prior) {
    if (all.size() <= MOST_BAD) {
      double[] weights = new double[all.size()];
      Arrays.fill(weights, 1);
      return new Kernels(axes, List.copyOf(all), weights, widths, BAD_LEAVES, prior);
    }
    int dense = MOST_BAD / 2;
    double step = (all.size() - dense) / (double) (MOST_BAD - dense);
    List<Observation> some = new ArrayList<>(all.subList(0, dense));
    double[] weights = new double[MOST_BAD];
    Arrays.fill(weights, 0, dense, 1);
    Arrays.fill(weights, dense, MOST_BAD, step);
    for (int i = 0; i < MOST_BAD - dense; i++) {
      some.add(all.get(dense + (int) ((i + 0.5) * step)));
    }
    return new Kernels(axes, some, weights, widths, BAD_LEAVES, prior);
  }

  /** How wide the kernels are on each axis; not meaningful for choices. */
  private static double[] widths(List<UnitAxis> axes, List<Observation> good, int all) {
    double scott = Math.pow(Math.max(1, good.size()), -1.0 / (axes.size() + 4));
    double[] widths = new double[axes.size()];
    for (int a = 0; a < widths.length; a++) {
      if (axes.get(a) instanceof Scale scale) {
        double floor = Math.max(Math.max(NARROWEST, 0.5 / all), 0.5 * scale.grain());
        widths[a] = Math.clamp(scott * spread(scale.axis().index(), good), floor, 1);
      }
    }
    return widths;
  }

  private static double spread(int index, List<Observation> good) {
    int there = 0;
    double mean = 0;
    double squares = 0;
    for (Observation observation : good) {
      double x = observation.point()[index];
      if (!Double.isNaN(x)) {
        there++;
        double away = x - mean;
        mean += away / there;
        squares += away * (x - mean);
      }
    }
    return Math.sqrt((SPREAD_TRIALS * UNIFORM + squares) / (SPREAD_TRIALS + there));
  }
}
