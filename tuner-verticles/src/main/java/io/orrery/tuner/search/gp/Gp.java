package io.orrery.tuner.search.gp;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.surrogate.Design;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Bayesian optimisation with a Gaussian process. */
public final class Gp implements Tuner {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "GP",
              List.of("GPTuner"),
              "Believes in a smooth function, and looks where it is most likely to be better.",
              Set.copyOf(Description.ALL_TYPES),
              GpOptions.ALL,
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          return new Gp(setting);
        }
      };

  private final long seed;
  private final int coldStart;
  private final Surrogate.Aim aim;
  private final Axes axes;
  private final UnitCube cube;
  private final Distinct distinct;
  private final History history;
  private final Design design;
  private final Surrogate surrogate;

  private Gp(Setting setting) {
    seed = setting.effectiveSeed();
    axes = Axes.of(setting.space());
    cube = new UnitCube(axes);
    distinct = Distinct.in(axes);
    history = new History(axes, setting.direction());
    coldStart = GpOptions.coldStart(setting.arguments(), axes.all().size());
    aim = GpOptions.aim(setting.arguments());
    design = new Design(cube, coldStart, Rng.keyed(seed, -1));
    surrogate = new Surrogate(cube, Boolean.getBoolean("gp.additive"));
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      double[] point = distinct.claim(propose(number));
      if (point == null) {
        return new Suggestions(items, true);
      }
      Suggestion suggestion = new Suggestion(Long.toString(number), axes.decode(point));
      history.begin(suggestion);
      items.add(suggestion);
    }
    return new Suggestions(items, false);
  }

  private double[] propose(long number) {
    Rng rng = Rng.keyed(seed, number);
    List<Observation> observations =
        history.ended().stream()
            .map(trial -> new Observation(cube.place(trial.point()), trial.loss()))
            .toList();
    if (observations.size() < coldStart) {
      return number < coldStart ? cube.point(design.place((int) number)) : axes.sample(rng);
    }
    double[] place =
        surrogate.next(
            observations,
            history.changes(),
            history.running().stream().map(cube::place).toList(),
            aim,
            candidate -> distinct.isFree(cube.point(candidate)),
            rng);
    return place == null ? axes.sample(rng) : cube.point(place);
  }

  @Override
  public void remember(Suggestion suggestion) {
    use(suggestion.parameters());
    history.begin(suggestion);
  }

  @Override
  public void learn(Result result) {
    use(result.parameters());
    history.end(result);
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
