package io.orrery.tuner.search.random;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
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
 * parameter is an exception: its only point, {@code {}}, is suggested for ever, since whoever runs
 * trials without parameters wants to repeat them.
 */
public final class RandomSearch implements Tuner {
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
          return new RandomSearch(setting);
        }
      };

  private final long seed;
  private final Axes axes;
  private final Distinct distinct;

  private RandomSearch(Setting setting) {
    seed = setting.effectiveSeed();
    axes = Axes.of(setting.space());
    distinct = Distinct.in(axes);
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      double[] point = distinct.claim(axes.sample(Rng.keyed(seed, number), distinct::isFree));
      if (point == null) {
        return new Suggestions(items, true);
      }
      items.add(new Suggestion(Long.toString(number), axes.decode(point)));
    }
    return new Suggestions(items, false);
  }

  @Override
  public void remember(Suggestion suggestion) {
    use(suggestion.parameters());
  }

  @Override
  public void learn(Result result) {
    use(result.parameters());
  }

  private void use(Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point != null) {
      distinct.use(point);
    }
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(parameters);
  }
}
