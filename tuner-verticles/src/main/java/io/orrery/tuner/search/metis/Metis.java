package io.orrery.tuner.search.metis;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.bayes.BayesianSearch;
import io.orrery.tuner.search.bayes.Plan;
import io.orrery.tuner.surrogate.Acquisition;
import io.orrery.tuner.surrogate.Look;
import java.util.List;
import java.util.Set;

/**
 * Metis (Li et al.: "Metis: robustly tuning tail latencies of cloud systems", USENIX ATC 2018),
 * with NNI's arguments: a Gaussian process that sometimes looks where it may learn most, not only
 * where it expects most.
 *
 * <p>A suggestion is, with {@code exploration_probability}, where the loss is expected to improve
 * most, and else where it is lowest at the end of its confidence interval ("lowest confidence"),
 * two deviations below the mean, by a model with hyper-parameters drawn from their posterior. NNI
 * draws at random in that share of the cases. The model is that of {@code GP} and learns the noise,
 * so repeating trials to find out about it, as the paper does, is not needed; with {@code
 * no_resampling: false} the best one is tried again where that is worth more than a new one.
 */
public final class Metis {
  private static final Option<Boolean> NO_RESAMPLING =
      Option.of(
          "no_resampling",
          new Shape.Flag(),
          true,
          "Whether no configuration is ever tried again; false is what repeats: true is to GP.");
  private static final Option<Boolean> NO_CANDIDATES =
      Option.of(
          "no_candidates",
          new Shape.Flag(),
          false,
          "Accepted as NNI has it; candidates are always drawn.");
  private static final Option<Long> STARTS =
      Option.of(
          "selection_num_starting_points",
          new Shape.Whole(1, 100_000_000),
          600L,
          "Accepted as NNI has it; the number of candidates is fixed.");
  private static final Option<Long> COLD_START =
      Option.of(
          "cold_start_num",
          new Shape.Whole(1, 10_000),
          10L,
          "How many results there must be before the model is used.");
  private static final Option<Double> EXPLORATION =
      Option.of(
          "exploration_probability",
          new Shape.Real(0, 1),
          0.9,
          "The share of suggestions where an improvement is expected; the others are where the loss"
              + " may be lowest.");

  private static final double DEVIATIONS = 2;

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Metis",
              List.of("MetisTuner"),
              "Like GP, and now and then looks where it knows least.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(
                  Options.OPTIMIZE_MODE,
                  Options.SEED,
                  NO_RESAMPLING,
                  NO_CANDIDATES,
                  STARTS,
                  COLD_START,
                  EXPLORATION),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          double expected = setting.arguments().get(EXPLORATION);
          return BayesianSearch.open(
              setting,
              setting.arguments().get(COLD_START).intValue(),
              !setting.arguments().get(NO_RESAMPLING),
              rng -> rng.nextDouble() < expected ? improving(rng) : EXPLORE);
        }
      };

  private static final Plan EXPLORE =
      new Plan(false, Look.WARY, least -> new Acquisition.ConfidenceBound(DEVIATIONS));

  private Metis() {}

  private static Plan improving(Rng rng) {
    return new Plan(false, Plan.look(rng), Acquisition.ExpectedImprovement::new);
  }
}
