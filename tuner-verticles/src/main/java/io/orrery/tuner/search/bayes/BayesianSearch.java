package io.orrery.tuner.search.bayes;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.PointTuner;
import io.orrery.tuner.search.Proposer;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.surrogate.Design;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bayesian optimisation (Jones, Schonlau, Welch: "Efficient global optimization of expensive
 * black-box functions", 1998): after a first design, each suggestion is the place that is worth
 * most by what a model believes.
 *
 * <p>Trials that run count as if they had ended with what is expected of them, so that others keep
 * away.
 */
public final class BayesianSearch implements Proposer {
  private final int coldStart;
  private final Function<Rng, Plan> planning;
  private final Axes axes;
  private final UnitCube cube;
  private final History history;
  private final Design design;
  private final Surrogate joint;
  private final Surrogate additive;
  private List<Observation> observations = List.of();
  private long observed = -1;

  private BayesianSearch(Axes axes, Setting setting, int coldStart, Function<Rng, Plan> planning) {
    this.axes = axes;
    this.coldStart = coldStart;
    this.planning = planning;
    cube = new UnitCube(axes);
    history = new History(setting.objectives());
    design = new Design(cube, coldStart, Rng.keyed(setting.effectiveSeed(), -1));
    joint = new Surrogate(cube, false);
    additive = new Surrogate(cube, true);
  }

  /**
   * A tuner that searches so.
   *
   * @param coldStart how many results there must be before the model is asked, 1 or more
   * @param planning how a suggestion is found; called with its own chance
   */
  public static Tuner open(Setting setting, int coldStart, Function<Rng, Plan> planning) {
    Axes axes = Axes.of(setting.space());
    return new PointTuner(axes, setting, new BayesianSearch(axes, setting, coldStart, planning));
  }

  @Override
  public double[] propose(long number, Predicate<double[]> free, Rng rng) {
    double[] place = null;
    if (history.ended().size() >= coldStart && cube.size() > 0) {
      place = modelled(free, rng);
    } else if (number < design.size()) {
      place = design.place((int) number);
    }
    return place == null ? axes.sample(rng) : cube.point(place);
  }

  private double @Nullable [] modelled(Predicate<double[]> free, Rng rng) {
    if (observed != history.changes()) {
      observations =
          history.ended().stream()
              .map(trial -> new Observation(cube.place(trial.point()), trial.loss()))
              .toList();
      observed = history.changes();
    }
    Plan plan = planning.apply(rng.split(1));
    return (plan.additive() ? additive : joint)
        .next(
            observations,
            observed,
            history.running().stream().map(cube::place).toList(),
            plan.look(),
            plan.aim(),
            place -> free.test(cube.point(place)),
            rng);
  }

  @Override
  public void begin(String parameterId, double[] point) {
    history.begin(parameterId, point);
  }

  @Override
  public void end(Result result, double[] point) {
    history.end(result, point);
  }
}
