package io.orrery.tuner.search.hyperband;

import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The algorithm Hyperband (Li, Jamieson, DeSalvo, Rostamizadeh, Talwalkar: "Hyperband: a novel
 * bandit-based approach to hyperparameter optimization", JMLR 2018): successive halving over random
 * configurations, hedged over how much budget it takes to tell good from bad. Arguments, defaults
 * and the form of the ids are NNI's.
 *
 * <p>Unlike NNI's it comes back after a restart as it was, and an experiment goes on through a
 * failure: what has failed is not promoted.
 */
public final class Hyperband implements Proposals {
  private static final String SERIAL = "serial";
  private static final String PARALLEL = "parallelism";

  private static final Option<Long> MOST =
      Option.of(
          "R",
          new Shape.Whole(1, 1_000_000_000),
          60L,
          "The most budget that a trial gets, as TRIAL_BUDGET: epochs, for instance.");
  private static final Option<Long> ETA =
      Option.of("eta", new Shape.Whole(2, 1_000), 3L, "Of so many trials one goes on.");
  private static final Option<String> MODE =
      Option.of(
          "exec_mode",
          new Shape.Word(List.of(PARALLEL, SERIAL)),
          PARALLEL,
          "Whether the next bracket begins as soon as a slot is free, or when the one before is"
              + " over.");

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Hyperband",
              List.of(),
              "Trains many configurations for a short time, and the best of them for longer.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, MOST, ETA, MODE),
              0);
        }

        @Override
        public List<Finding> check(SearchSpace space) {
          return BracketTuner.check(space);
        }

        @Override
        public Tuner open(Setting setting) {
          Arguments arguments = setting.arguments();
          Ladder ladder = Ladder.between(1, arguments.get(MOST), arguments.get(ETA).intValue());
          boolean serial = arguments.get(MODE).equals(SERIAL);
          return new BracketTuner(setting, ladder, serial, new Hyperband(Axes.of(setting.space())));
        }
      };

  private final Axes axes;

  private Hyperband(Axes axes) {
    this.axes = axes;
  }

  @Override
  public double[] propose(Rng rng, Predicate<double[]> free) {
    return axes.sample(rng, free);
  }

  @Override
  public void begin(String id, double[] point) {}

  @Override
  public void learn(String id, double[] point, long budget, double loss) {}
}
