package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The probability that a trial succeeds, learnt from those that did and those that failed; the
 * expected improvement is multiplied with it (Gelbart, Snoek, Adams: "Bayesian optimization with
 * unknown constraints", UAI 2014).
 *
 * <p>Two explanations of the failures compete. One is a Gaussian process of success (1) and failure
 * (0) over the space, whose mean, cut to 0 and 1, is the probability (least-squares classification:
 * Rasmussen, Williams: "Gaussian processes for machine learning", 2006, section 6.5). The other one
 * is chance: that parameters have nothing to do with it. How likely the first one is says how often
 * a search takes failures for losses as bad as the worst; otherwise it looks at what was measured
 * alone, and multiplies what a place is worth with the probability. So crashes of machines close no
 * part of the space. No place is ever excluded: the factor has a least value.
 *
 * <p>Not thread safe. The model is a function of the places that it is given.
 */
public final class SuccessModel {
  /** The least factor: what is nearly certain to fail is tried once nothing else is worth it. */
  private static final double LEAST = 1e-3;

  private static final int EVALUATIONS = 30;
  private static final int MOST = 160;

  private final Layout layout;
  private long version = -1;
  private Learnt learnt = Learnt.NOTHING;

  /**
   * A belief.
   *
   * @param factor the logarithm of the probability of success, as far as it is believed
   * @param share how likely it is, from 0 to 1, that failures follow from parameters
   */
  record Learnt(Factor factor, double share) {
    /** A belief that parameters say nothing of success. */
    static final Learnt NOTHING = new Learnt(Factor.NONE, 0);
  }

  public SuccessModel(UnitCube cube) {
    layout = Layout.ofLabels(cube);
  }

  /**
   * A belief after some trials.
   *
   * @param changes another number whenever they are others than before
   */
  Learnt after(List<double[]> succeeded, List<double[]> failed, long changes) {
    if (version != changes) {
      learnt =
          failed.isEmpty() || succeeded.isEmpty()
              ? Learnt.NOTHING
              : fit(some(succeeded, MOST - Math.min(failed.size(), MOST / 2)), failed);
      version = changes;
    }
    return learnt;
  }

  private Learnt fit(List<double[]> succeeded, List<double[]> all) {
    List<double[]> failed = some(all, MOST - succeeded.size());
    List<double[]> places = new ArrayList<>(succeeded);
    places.addAll(failed);
    int n = places.size();
    double mean = succeeded.size() / (double) n;
    double unit = Math.sqrt(mean * (1 - mean));
    double[] values = new double[n];
    Arrays.setAll(values, i -> ((i < succeeded.size() ? 1 : 0) - mean) / unit);
    LogEvidence evidence = new LogEvidence(layout, places, values);
    double[] likeliest = evidence.fit(EVALUATIONS);
    // Values of mean 0 and variance 1 about nothing but noise have this one.
    double chance = n / 2.0;
    double gain = chance - evidence.at(likeliest, new double[likeliest.length]);
    double share = 1 / (1 + Math.exp(-gain));
    GaussianProcess process = new GaussianProcess(new Kernel(layout, likeliest), places, values);
    return new Learnt(new Probability(process, mean, unit, share), share);
  }

  /** An even sample, in order. */
  private static List<double[]> some(List<double[]> all, int most) {
    return all.size() <= most
        ? all
        : IntStream.range(0, most)
            .mapToObj(i -> all.get((int) ((long) i * all.size() / most)))
            .toList();
  }

  /** The logarithm of the probability, mixed with certainty by the share. */
  private record Probability(GaussianProcess process, double mean, double unit, double share)
      implements Factor {
    @Override
    public double at(double[] place) {
      return Math.log(mixed(mean + unit * process.mean(place)));
    }

    @Override
    public double at(double[] place, double[] slope) {
      double[] own = new double[slope.length];
      double success = mean + unit * process.mean(place, own);
      double mixed = mixed(success);
      if (success > 0 && success < 1 && mixed > LEAST) {
        for (int axis = 0; axis < slope.length; axis++) {
          slope[axis] += share * unit * own[axis] / mixed;
        }
      }
      return Math.log(mixed);
    }

    private double mixed(double success) {
      return Math.max(LEAST, 1 - share * (1 - Math.clamp(success, 0, 1)));
    }
  }
}
