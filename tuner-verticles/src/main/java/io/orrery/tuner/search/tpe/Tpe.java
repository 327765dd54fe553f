package io.orrery.tuner.search.tpe;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio, Kégl: "Algorithms for
 * hyper-parameter optimization", NIPS 2011).
 *
 * <p>Trials are split by loss into a few good ones and the rest, and a density is laid through
 * either group. Among candidates drawn from the density of the good ones, the one at which it
 * exceeds the other density most is suggested: where good trials are and bad ones are not. {@link
 * Joint} does so with all parameters together, by rules of our own; {@link Independent} with each
 * by itself, by NNI's rules and with NNI's defaults, which {@code compatibility: nni} asks for.
 *
 * <p>Trials that still run take part with a presumed loss (a "constant liar"), so that suggestions
 * made at the same time differ.
 *
 * <p>In a countable space no parameter set is suggested twice, as in {@code RandomSearch}.
 */
public final class Tpe implements Tuner {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "TPE",
              List.of(),
              "Models where good and bad trials lie, and tries where good ones prevail.",
              Set.copyOf(Description.ALL_TYPES),
              TpeOptions.ALL,
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          return new Tpe(setting);
        }
      };

  private final long seed;
  private final Axes axes;
  private final Distinct distinct;
  private final Model model;
  private final Observations observations;

  private Tpe(Setting setting) {
    TpeOptions options = TpeOptions.of(setting.arguments());
    seed = setting.effectiveSeed();
    axes = Axes.of(setting.space());
    distinct = Distinct.in(axes);
    model = options.joint() ? new Joint(axes, options, seed) : new Independent(axes, options);
    observations = new Observations(axes, setting.direction(), model::remembered);
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      double[] point =
          distinct.claim(
              model.propose(number, observations, distinct::isFree, Rng.keyed(seed, number)));
      if (point == null) {
        return new Suggestions(items, true);
      }
      Suggestion suggestion = new Suggestion(Long.toString(number), axes.decode(point));
      observations.begin(suggestion);
      items.add(suggestion);
    }
    return new Suggestions(items, false);
  }

  @Override
  public void remember(Suggestion suggestion) {
    use(suggestion.parameters());
    observations.begin(suggestion);
  }

  @Override
  public void learn(Result result) {
    use(result.parameters());
    observations.end(result);
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
