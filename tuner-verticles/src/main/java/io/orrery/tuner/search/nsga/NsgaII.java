package io.orrery.tuner.search.nsga;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Rows;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Proposer;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.surrogate.Design;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The non-dominated sorting genetic algorithm (Deb, Pratap, Agarwal, Meyarivan: "A fast and elitist
 * multiobjective genetic algorithm: NSGA-II", IEEE TEC 2002), for several objectives: what it keeps
 * are results of which none is better in everything, spread over the whole front.
 *
 * <p>It keeps the best few trials: those that the fewest fronts dominate, and of one front those
 * with the most room about them. Two parents, each the better of two that are drawn, have a child
 * ({@link Offspring}). A trial that failed, or did not report every objective, counts as one that
 * breaks constraints does in the paper: worse than all that did.
 *
 * <p>With the paper's generations all trials would wait for the last one of each. So a child is
 * born as soon as a suggestion is asked for, and takes its place among the best when its result
 * comes: the "steady state" of Durillo, Nebro, Luna, Alba ("On the effect of the steady-state
 * selection scheme in multi-objective genetic algorithms", EMO 2009), who find it better than
 * generations on most problems. The population is smaller than their 100, because tuning has
 * hundreds of trials, not tens of thousands; it begins with a Latin hypercube.
 */
public final class NsgaII implements Proposer {
  private static final Option<Long> POPULATION_SIZE =
      Option.of(
          "population_size",
          new Shape.Whole(4, 500),
          20L,
          "How many trials live at a time; the first so many are spread evenly.");

  /** The catalogue's entry. */
  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description(
              "NSGAII",
              List.of("NSGA2", "NSGA-II"),
              "For several objectives: breeds trials of which none is better in everything.",
              Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, POPULATION_SIZE),
              0,
              true);
        }

        @Override
        public Tuner open(Setting setting) {
          return NsgaII.open(setting);
        }
      };

  /** Places of the design cost a comparison with each other. */
  private static final int MOST_DESIGNED = 100;

  private static final int TRIES = 32;

  private final int size;
  private final UnitCube cube;
  private final Rows rows;
  private final Axes axes;
  private final History history;
  private final Design design;
  private final Offspring offspring;
  private Population population;

  private NsgaII(Axes axes, Setting setting, int size) {
    this.size = size;
    this.axes = axes;
    cube = new UnitCube(axes);
    rows = new Rows(axes);
    history = new History(setting.objectives());
    int designed = Math.min(size, MOST_DESIGNED);
    design = new Design(cube, designed, Rng.keyed(setting.effectiveSeed(), -1));
    offspring = new Offspring(axes, cube);
    population = new Population(size);
  }

  /**
   * Makes one.
   *
   * @param setting of whose arguments only those are looked at that it has
   */
  public static Tuner open(Setting setting) {
    Axes axes = Axes.of(setting.space());
    int size = setting.arguments().get(POPULATION_SIZE).intValue();
    return new PointTuner(axes, setting, new NsgaII(axes, setting, size));
  }

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    if (number < design.size()) {
      return cube.point(design.place((int) number));
    }
    if (number < size || !population.canBreed()) {
      return axes.sample(rng, free);
    }
    double[] child = cube.point(offspring.born(population, rng));
    for (int time = 1; time < TRIES && !free.test(child); time++) {
      child = cube.point(offspring.born(population, rng));
    }
    return child;
  }

  @Override
  public void begin(String parameterId, double[] point) {
    history.begin(parameterId, point);
  }

  @Override
  public void end(Result result, double[] point) {
    if (history.end(result, point)) {
      // What had to make room for the earlier result is to be had back.
      population = new Population(size);
      history.ended().forEach(this::add);
    } else {
      add(history.ended().getLast());
    }
  }

  private void add(Trial trial) {
    population.add(new Individual(rows.of(trial.point()), trial.losses()));
  }
}
