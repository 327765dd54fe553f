package io.orrery.tuner.search.cmaes;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Proposer;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
public final class CmaEs implements Proposer {
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
          Axes axes = Axes.of(setting.space());
          return new PointTuner(axes, setting, new CmaEs(axes, setting));
        }
      };

  private static final int DRAWS = 8;

  private final Direction direction;
  private final UnitCube cube;
  private final CmaesPopulation population;

  private CmaEs(Axes axes, Setting setting) {
    direction = setting.direction();
    cube = new UnitCube(axes);
    population = new CmaesPopulation(cube, setting.effectiveSeed());
  }

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    double[] point = cube.point(population.draw(rng));
    for (int draw = 1; draw < DRAWS && !free.test(point); draw++) {
      point = cube.point(population.draw(rng));
    }
    return point;
  }

  @Override
  public void end(Result result, double[] point) {
    population.add(cube.place(point), result.loss(direction));
  }
}
