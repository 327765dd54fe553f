package io.orrery.tuner.search.random;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;

/**
 * Draws each suggestion from the space's own distribution (Bergstra, Bengio: "Random search for
 * hyper-parameter optimization", JMLR 2012).
 *
 * <p>In a continuous space that is all. A countable one (choices, integers, multiples of q, nested
 * ones included) never gives the same parameters twice while others are left, as in NNI 3: a draw
 * that was used is tried again a few times, which keeps the distribution as long as there is room;
 * then the next unused point in row-major order after the last draw is taken. So the cost of a
 * suggestion has a bound, in a huge space as in one that is nearly used up. When every point has
 * been used, the search is exhausted.
 *
 * <p>What a user tried by hand counts as used once its trial has ended. A space without any
 * parameter is an exception: its only point, {@code {}}, is suggested for ever, since users who run
 * trials without parameters want to repeat them.
 */
public final class RandomSearch {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "Random",
              List.of(),
              "Draws every trial from the distribution that the search space describes.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.SEED, Options.OPTIMIZE_MODE),
              Description.ANY);
        }

        @Override
        public Tuner open(Setting setting) {
          Axes axes = Axes.of(setting.space());
          return new PointTuner(axes, setting, (number, free, rng) -> axes.sample(rng, free));
        }
      };

  private RandomSearch() {}
}
