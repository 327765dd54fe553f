package io.orrery.tuner.search.cmaes;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.encode.UnitCube;
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
 * The covariance matrix adaptation evolution strategy (Hansen, Ostermeier: "Completely derandomized
 * self-adaptation in evolution strategies", 2001), for many cheap trials of numeric parameters.
 *
 * <p>Draws from a normal distribution over the unit cube, and after each generation of results
 * moves it towards the better half and gives it the shape of the way that led there. Whole numbers
 * keep a margin of probability for their neighbours (Hamano et al.: "CMA-ES with margin", GECCO
 * 2022). Options of a choice have shares that follow the better half, as in CatCMA (Hamano et al.,
 * GECCO 2024). Under a nested choice, an axis that a trial did not have counts with the middle of
 * its scale: the shapes of branches are not kept apart, and where most parameters are nested,
 * another tuner is better. When the distribution has shrunk to a point, it begins anew elsewhere
 * with generations twice as big (Auger, Hansen: "A restart CMA evolution strategy with increasing
 * population size", 2005).
 */
public final class CmaEs implements Tuner {
  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "CMAES",
              List.of("CmaEs"),
              "Moves a normal distribution towards what was good; for many trials of numbers.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED),
              0);
        }

        @Override
        public Tuner open(Setting setting) {
          return new CmaEs(setting);
        }
      };

  private static final int DRAWS = 8;

  private final long seed;
  private final double sign;
  private final Axes axes;
  private final UnitCube cube;
  private final Distinct distinct;
  private final Population population;

  private CmaEs(Setting setting) {
    seed = setting.effectiveSeed();
    sign = setting.direction() == Direction.MINIMIZE ? 1 : -1;
    axes = Axes.of(setting.space());
    cube = new UnitCube(axes);
    distinct = Distinct.in(axes);
    population = new Population(cube, seed);
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) {
    List<Suggestion> items = new ArrayList<>();
    for (long number = firstNumber; number < firstNumber + count; number++) {
      double[] point = distinct.claim(propose(Rng.keyed(seed, number)));
      if (point == null) {
        return new Suggestions(items, true);
      }
      items.add(new Suggestion(Long.toString(number), axes.decode(point)));
    }
    return new Suggestions(items, false);
  }

  private double[] propose(Rng rng) {
    double[] point = cube.point(population.draw(rng));
    for (int draw = 1; draw < DRAWS && !distinct.isFree(point); draw++) {
      point = cube.point(population.draw(rng));
    }
    return point;
  }

  @Override
  public void remember(Suggestion suggestion) {
    use(suggestion.parameters());
  }

  @Override
  public void learn(Result result) {
    double[] point = use(result.parameters());
    if (point.length == cube.size()) {
      population.add(cube.place(point), sign * result.value());
    }
  }

  /** The point of parameters, marked as used; empty when they do not lie in the space. */
  private double[] use(Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point == null) {
      return new double[0];
    }
    distinct.use(point);
    return point;
  }

  @Override
  public boolean fits(Parameters parameters) {
    return axes.fits(parameters);
  }
}
