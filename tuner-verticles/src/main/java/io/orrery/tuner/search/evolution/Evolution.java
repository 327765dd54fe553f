package io.orrery.tuner.search.evolution;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;

/**
 * Searches by mutation and selection. It keeps the best few trials and lets them have children, one
 * at a time and as soon as a suggestion is asked for: a "steady state" evolution strategy, ({@code
 * mu + 1} in the terms of Beyer, Schwefel: "Evolution strategies, a comprehensive introduction",
 * Natural Computing 1, 2002). {@link Strategy} says how children come about.
 *
 * <p>NNI begins with as many random trials as its population is large, 32, and then resamples one
 * parameter of a trial that won over one other; of a hundred trials not much is left to learn from.
 * Here the population is small and begins with a Latin hypercube. {@code compatibility: nni} does
 * as NNI, see {@link Naive}.
 */
public final class Evolution {
  private static final Option<Long> POPULATION_SIZE =
      Option.of(
          "population_size",
          new Shape.Whole(2, 100_000),
          "How many trials live at a time; 12 unless said, and 32 with compatibility: nni.");

  private static final long SIZE = 12;
  private static final long SIZE_OF_NNI = 32;

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Evolution",
              List.of(),
              "Lets the best trials have children, which differ from them by chance.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, POPULATION_SIZE, Options.COMPATIBILITY),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          Axes axes = Axes.of(setting.space());
          boolean asNni = setting.arguments().find(Options.COMPATIBILITY).isPresent();
          int size =
              setting
                  .arguments()
                  .find(POPULATION_SIZE)
                  .orElse(asNni ? SIZE_OF_NNI : SIZE)
                  .intValue();
          long seed = setting.effectiveSeed();
          return PointTuner.of(
              axes,
              setting,
              asNni ? new Naive(axes, size, seed)::next : new Strategy(axes, size, seed)::next);
        }
      };

  private Evolution() {}
}
