package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.Maximiser.Candidate;
import io.orrery.tuner.surrogate.Maximiser.Effort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Bayesian optimisation of a loss over the unit cube by a Gaussian process.
 *
 * <p>The answer to a question is a function of the observations in their order and of the chance
 * that is handed in. What is kept between questions (the hyper-parameters and the factored matrix)
 * is only remembered, and would be computed again alike.
 *
 * <p>Hyper-parameters are fitted anew whenever the number of observations has grown by a twelfth,
 * always from the middle of their priors: a chain of fits, each beginning where the last one ended,
 * would have to be repeated after a restart. Both fit and prediction have a bound however long the
 * history is: beyond it the best observations and an even sample of the others stand for all.
 */
public final class Surrogate {
  /** An observation of the loss at a place. */
  public record Observation(double[] place, double loss) {}

  /**
   * A rule by which an acquisition is made from the least value that is believed to have been
   * reached.
   */
  @FunctionalInterface
  public interface Aim {
    Acquisition at(double least);
  }

  private static final int MOST_FITTED = 160;
  private static final int MOST_USED = 400;
  private static final int MOST_AWAITED = 256;

  /**
   * With more in flight than this, places keep apart: what is believed of places that are awaited
   * leaves the best one where it is, and a model that is sure would send many there.
   */
  private static final int CROWD = 64;

  /** How far apart, in edges of the cells that as many places would share the cube in. */
  private static final double APART = 0.02;

  private static final int CENTRES = 5;
  private static final Effort EFFORT = new Effort(150, 100, 3, 25);
  private static final Effort ROUGH = new Effort(20, 10, 0, 0);

  /** An expected improvement, in logarithms of deviations, with which a valley is done with. */
  private static final double SETTLED = Math.log(1e-2);

  /** How often another valley is looked for then. */
  private static final double RESTLESS = 0.7;

  private static final double SAME = 1e-7;

  /** Up to so many observations the sources are always followed, if they explain more. */
  private static final double FOLLOWED = 12;

  /** The label of the chance by which that is drawn. */
  private static final int TREND = 9;

  /**
   * How often, where sources help, the search trusts that they have told it the right valley, and
   * does not look for another.
   */
  private static final double KNOWN_PLACE = 0.5;

  private static final int TOLD = 10;

  private final UnitCube cube;
  private final Layout layout;
  private final @Nullable Sources sources;
  private long version = -1;
  private int fittedCount;
  private long fittedReplaced;
  private @Nullable Explanation plain;
  private @Nullable Explanation about;
  private List<Observation> used = List.of();

  public Surrogate(UnitCube cube, boolean additive) {
    this(cube, additive, null);
  }

  /**
   * @param sources earlier experiments to learn from, null for none
   */
  public Surrogate(UnitCube cube, boolean additive, @Nullable Sources sources) {
    this.cube = cube;
    this.sources = sources;
    layout = Layout.of(cube, additive);
  }

  /**
   * The place that is worth most.
   *
   * @param known what the search knows
   * @param free whether a place may be suggested
   * @return null when none of all that was tried was free
   */
  public double @Nullable [] next(
      Knowledge knowledge, Look wanted, Aim aim, Predicate<double[]> free, Rng rng) {
    List<Observation> observations = knowledge.observations();
    Collection<double[]> awaited = knowledge.awaited();
    explain(observations, knowledge.changes(), knowledge.replaced());
    Factor factor = knowledge.factor();
    boolean told = about != null && rng.split(TOLD).nextDouble() < KNOWN_PLACE;
    Look look = told && wanted == Look.ELSEWHERE ? Look.TRUSTING : wanted;
    Explanation chosen = explanation(observations.size(), rng);
    GaussianProcess known = look == Look.WARY ? chosen.drawn(used, rng) : chosen.likeliest(used);
    List<double[]> expected = latest(awaited);
    known.awaitOnly(expected);
    List<double[]> seen =
        Stream.concat(used.stream().map(Observation::place), expected.stream()).toList();
    List<double[]> byMean = byMean(known.means(), seen);
    double apart =
        awaited.size() > CROWD ? APART * Math.pow(awaited.size(), -1.0 / cube.size()) : 0;
    Predicate<double[]> unseen =
        place ->
            free.test(place)
                && Design.keeps(apart, cube, place, awaited)
                && seen.stream().noneMatch(other -> same(place, other))
                && knowledge.failed().stream().noneMatch(other -> same(place, other));
    Candidate found =
        look == Look.ELSEWHERE
            ? best(
                known, Region.without(byMean, cube, known, rng), byMean, aim, factor, unseen, rng)
            : null;
    if (found == null) {
      found = best(known, new Region.Everywhere(), byMean, aim, factor, unseen, rng);
    }
    if (found != null
        && look != Look.ELSEWHERE
        && !told
        && found.worth() < SETTLED
        && rng.nextDouble() < RESTLESS) {
      Region other = Region.otherValley(byMean.getFirst(), cube, known);
      Candidate there = best(known, other, byMean, aim, factor, unseen, rng);
      found = there == null ? found : there;
    }
    return found == null ? null : found.place();
  }

  /**
   * A place that was observed and is worth more to be tried again than the best new one: by the
   * {@link KnowledgeGradient}, which is what both are expected to add to what is believed to be
   * reached.
   *
   * @return null when a new place is worth more, or there is hardly any noise
   */
  public double @Nullable [] again(
      Knowledge knowledge, Look wanted, Aim aim, Predicate<double[]> free, Rng rng) {
    List<Observation> observations = knowledge.observations();
    explain(observations, knowledge.changes(), knowledge.replaced());
    GaussianProcess known = explanation(observations.size(), rng).likeliest(used);
    known.awaitOnly(latest(knowledge.awaited()));
    KnowledgeGradient gradient =
        new KnowledgeGradient(known, used.stream().map(Observation::place).toList());
    Factor factor = knowledge.factor();
    double[] best = null;
    double most = KnowledgeGradient.LEAST;
    for (double[] place : gradient.likeliest()) {
      double worth = gradient.at(place) * Math.exp(factor.at(place));
      if (worth > most) {
        most = worth;
        best = place;
      }
    }
    if (best == null) {
      return null;
    }
    double[] fresh = next(knowledge, wanted, aim, free, rng);
    return fresh == null || gradient.at(fresh) * Math.exp(factor.at(fresh)) < most ? best : null;
  }

  private static List<double[]> latest(Collection<double[]> awaited) {
    return awaited.stream().skip(Math.max(0, awaited.size() - MOST_AWAITED)).toList();
  }

  private @Nullable Candidate best(
      GaussianProcess known,
      Region region,
      List<double[]> byMean,
      Aim aim,
      Factor factor,
      Predicate<double[]> unseen,
      Rng rng) {
    Effort effort = region instanceof Region.Branch ? ROUGH : EFFORT;
    List<double[]> within = centres(byMean, region);
    // Where nothing was seen, a place is good that is better than the middle.
    double[] least = within.isEmpty() ? byMean.get(byMean.size() / 2) : within.getFirst();
    return new Maximiser(cube, known, aim.at(known.mean(least)), factor, region, unseen)
        .best(within, effort, rng);
  }

  /** The best places of a region, each once. */
  private static List<double[]> centres(List<double[]> byMean, Region region) {
    List<double[]> centres = new ArrayList<>();
    for (double[] place : byMean) {
      if (centres.size() == CENTRES) {
        break;
      }
      if (region.holds(place) && centres.stream().noneMatch(other -> same(place, other))) {
        centres.add(place);
      }
    }
    return centres;
  }

  /**
   * The observation at whose place the least loss is expected, whatever it was: the luckiest one
   * may be another.
   *
   * @param observations of which each has a finite loss, 1 or more
   */
  public static Observation incumbent(UnitCube cube, List<Observation> observations) {
    Surrogate model = new Surrogate(cube, false);
    model.explain(observations, 0, 0);
    double[] means = Objects.requireNonNull(model.plain).likeliest(model.used).means();
    int least =
        IntStream.range(0, means.length)
            .boxed()
            .min(Comparator.comparingDouble(i -> means[i]))
            .orElseThrow();
    return model.used.get(least);
  }

  private static List<double[]> byMean(double[] means, List<double[]> places) {
    return IntStream.range(0, means.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> means[i]))
        .map(places::get)
        .toList();
  }

  /** Whether two places are the same but for rounding. */
  public static boolean same(double[] a, double[] b) {
    for (int axis = 0; axis < a.length; axis++) {
      if (Math.abs(a[axis] - b[axis]) > SAME) {
        return false;
      }
    }
    return true;
  }

  private void explain(List<Observation> observations, long changes, long replaced) {
    if (version != changes) {
      used = some(observations, MOST_USED);
      version = changes;
      if (about != null) {
        about.renew();
      }
      if (plain != null) {
        plain.renew();
      }
    }
    int count = milestone(observations.size());
    Explanation known = plain;
    if (known == null || fittedCount != count || fittedReplaced != replaced) {
      List<Observation> sample =
          some(observations.subList(0, milestone(observations.size())), MOST_FITTED);
      known = new Explanation(layout, TrendFit.PLAIN, sample);
      plain = known;
      about = sources == null ? null : about(sources, sample, known);
      fittedCount = count;
      fittedReplaced = replaced;
    }
  }

  private Explanation explanation(int observations, Rng rng) {
    Explanation other = about;
    return other != null && rng.split(TREND).nextDouble() < trust(observations)
        ? other
        : Objects.requireNonNull(plain);
  }

  /** About the trend of the sources, if that explains more. */
  private @Nullable Explanation about(
      Sources those, List<Observation> sample, Explanation without) {
    TrendFit fit = TrendFit.about(those, sample);
    Explanation found = fit == null ? null : new Explanation(layout, fit, sample);
    return found != null && found.loss() < without.loss() ? found : null;
  }

  /** How often the sources are followed: the more was seen here, the less they are needed. */
  private static double trust(int observations) {
    return Math.min(1, Math.pow(FOLLOWED / observations, 2));
  }

  /** The last number of observations, up to this one, at which hyper-parameters are fitted. */
  static int milestone(int count) {
    int at = 1;
    while (at + step(at) <= count) {
      at += step(at);
    }
    return at;
  }

  private static int step(int count) {
    return Math.max(1, count / 12);
  }

  static double[] losses(List<Observation> observations) {
    return observations.stream().mapToDouble(Observation::loss).toArray();
  }

  /** The best half of a number of observations, and an even sample of the others; in order. */
  static List<Observation> some(List<Observation> all, int most) {
    if (all.size() <= most) {
      return List.copyOf(all);
    }
    List<Integer> byLoss =
        IntStream.range(0, all.size())
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    i -> Double.isNaN(all.get(i).loss()) ? Double.MAX_VALUE : all.get(i).loss()))
            .toList();
    int best = most / 2;
    List<Integer> chosen = new ArrayList<>(byLoss.subList(0, best));
    int others = all.size() - best;
    for (int i = 0; i < most - best; i++) {
      chosen.add(byLoss.get(best + (int) ((long) i * others / (most - best))));
    }
    return chosen.stream().sorted().map(all::get).toList();
  }
}
