package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Bayesian optimisation of a loss that was mostly seen with less than the full budget: a Gaussian
 * process over the unit cube with the budget as one more axis (Klein, Falkner, Bartels, Hennig,
 * Hutter: "Fast Bayesian optimization of machine learning hyperparameters on large datasets",
 * AISTATS 2017). How much a small budget says of the full one is the length scale of that axis, and
 * learnt like the others. What is looked for is the expected improvement at the full budget.
 *
 * <p>The answer is a function of the observations in their order, what is awaited, and chance. The
 * hyper-parameters are fitted when the number of observations has grown by an eighth, and kept in
 * between; both fit and prediction have a bound however long the history is.
 */
public final class BudgetSurrogate {
  /**
   * An observation of a loss with a part of the budget.
   *
   * @param share of the full budget, on a scale that ends with 1
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Observation(double[] place, double share, double loss) {}

  private static final int MOST_FITTED = 150;
  private static final int MOST_USED = 300;
  private static final int MOST_AWAITED = 64;
  private static final int EVALUATIONS = 25;
  private static final double FULL = 1;

  private static final int DRAWN = 200;
  private static final int CENTRES = 5;
  private static final int NEAR_EACH = 30;
  private static final double[] FAR_AND_NEAR = {0.15, 0.04};
  private static final double[] STEPS = {0.05, 0.02};

  /** How probable it is that a move changes an option. */
  private static final double SWITCH = 0.15;

  private final UnitCube cube;
  private final Layout layout;
  private int fitted = -1;
  private double[] hyper = {};

  public BudgetSurrogate(UnitCube cube) {
    this.cube = cube;
    boolean[] choice = new boolean[cube.size() + 1];
    for (int axis = 0; axis < cube.size(); axis++) {
      choice[axis] = cube.isChoice(axis);
    }
    layout = new Layout(choice, false);
  }

  /** An observation is another than it was. */
  public void forget() {
    fitted = -1;
  }

  /**
   * The place that is worth most to be tried.
   *
   * @param observations in the order in which they came, 1 or more
   * @param awaited places that are being tried, in an order that does not depend on when they began
   * @param free whether a place may be suggested
   * @return null when none of all that was looked at was free
   */
  public double @Nullable [] next(
      List<Observation> observations,
      Collection<double[]> awaited,
      Predicate<double[]> free,
      Rng rng) {
    fit(observations);
    List<Observation> used = some(observations, MOST_USED);
    GaussianProcess process =
        new GaussianProcess(new Kernel(layout, hyper), places(used), Warp.warp(losses(used)));
    List<double[]> byMean = byMean(process, used);
    double least = process.mean(byMean.getFirst());
    awaited.stream().limit(MOST_AWAITED).forEach(place -> process.await(atFull(place)));
    Search search = new Search(process, new Acquisition.ExpectedImprovement(least), free);
    for (int i = 0; i < DRAWN; i++) {
      search.look(cube.sample(rng));
    }
    for (double[] centre : byMean.subList(0, Math.min(CENTRES, byMean.size()))) {
      for (int i = 0; i < NEAR_EACH; i++) {
        search.look(moved(centre, FAR_AND_NEAR[i % FAR_AND_NEAR.length], rng));
      }
    }
    for (double step : STEPS) {
      double[] centre = search.best;
      for (int i = 0; i < NEAR_EACH && centre != null; i++) {
        search.look(moved(centre, step, rng));
      }
    }
    return search.best;
  }

  /** The best of the places that were looked at. */
  private final class Search {
    private final GaussianProcess process;
    private final Acquisition acquisition;
    private final Predicate<double[]> free;
    private double @Nullable [] best;
    private double worth = Double.NEGATIVE_INFINITY;

    Search(GaussianProcess process, Acquisition acquisition, Predicate<double[]> free) {
      this.process = process;
      this.acquisition = acquisition;
      this.free = free;
    }

    void look(double[] wish) {
      double[] place = cube.snap(wish);
      GaussianProcess.Belief belief = process.at(atFull(place));
      double here = acquisition.of(belief.mean(), belief.deviation()).value();
      if (here > worth && free.test(place)) {
        worth = here;
        best = place;
      }
    }
  }

  private double[] moved(double[] from, double deviation, Rng rng) {
    double[] place = Arrays.copyOf(from, cube.size());
    for (int axis = 0; axis < place.length; axis++) {
      if (!cube.isChoice(axis)) {
        place[axis] = Math.clamp(place[axis] + deviation * rng.nextGaussian(), 0, 1);
      } else if (place[axis] == UnitCube.ABSENT || rng.nextDouble() < SWITCH) {
        place[axis] = rng.nextInt(cube.options(axis));
      }
    }
    return place;
  }

  private void fit(List<Observation> observations) {
    int count = milestone(observations.size());
    if (count != fitted) {
      List<Observation> first = some(observations.subList(0, count), MOST_FITTED);
      hyper = new LogEvidence(layout, places(first), Warp.warp(losses(first))).fit(EVALUATIONS);
      fitted = count;
    }
  }

  /** The last number of observations, up to this one, at which hyper-parameters are fitted. */
  private static int milestone(int count) {
    int at = 1;
    while (at + Math.max(1, at / 8) <= count) {
      at += Math.max(1, at / 8);
    }
    return at;
  }

  /** Of very many: the newest of those with the largest budgets, and an even sample of the rest. */
  private static List<Observation> some(List<Observation> all, int most) {
    if (all.size() <= most) {
      return all;
    }
    List<Observation> byShare = new ArrayList<>(all.reversed());
    byShare.sort(Comparator.comparingDouble(Observation::share).reversed());
    List<Observation> chosen = new ArrayList<>(byShare.subList(0, most / 2));
    int others = all.size() - most / 2;
    for (int i = 0; i < most - most / 2; i++) {
      chosen.add(byShare.get(most / 2 + (int) ((long) i * others / (most - most / 2))));
    }
    return chosen;
  }

  private List<double[]> byMean(GaussianProcess process, List<Observation> observations) {
    List<double[]> places = observations.stream().map(o -> atFull(o.place())).toList();
    double[] means = places.stream().mapToDouble(process::mean).toArray();
    return IntStream.range(0, means.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> means[i]))
        .map(places::get)
        .toList();
  }

  private static List<double[]> places(List<Observation> observations) {
    return observations.stream().map(o -> with(o.place(), o.share())).toList();
  }

  private static double[] losses(List<Observation> observations) {
    return observations.stream().mapToDouble(Observation::loss).toArray();
  }

  private double[] atFull(double[] place) {
    return with(Arrays.copyOf(place, cube.size()), FULL);
  }

  private static double[] with(double[] place, double share) {
    double[] longer = Arrays.copyOf(place, place.length + 1);
    longer[place.length] = share;
    return longer;
  }
}
