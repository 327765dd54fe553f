package io.orrery.tuner.search.bayes;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Distinct;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.surrogate.Design;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bayesian optimisation (Jones, Schonlau, Welch: "Efficient global optimization of expensive
 * black-box functions", 1998): after a first design, each suggestion is the place that is worth
 * most by what a model believes.
 *
 * <p>Trials that run count as if they had ended with what is expected of them, so that others keep
 * away. In a countable space no parameter set is suggested twice, as in {@code RandomSearch}.
 */
public final class BayesianSearch implements Tuner {
  private final long seed;
  private final int coldStart;
  private final Function<Rng, Plan> planning;
  private final Axes axes;
  private final UnitCube cube;
  private final Distinct distinct;
  private final History history;
  private final Design design;
  private final Surrogate joint;
  private final Surrogate additive;
  private List<Observation> observations = List.of();
  private long observed = -1;

  /**
   * @param coldStart how many results there must be before the model is asked, 1 or more
   * @param planning how a suggestion is found; called with its own chance
   */
  public BayesianSearch(Setting setting, int coldStart, Function<Rng, Plan> planning) {
    this.seed = setting.effectiveSeed();
    this.coldStart = coldStart;
    this.planning = planning;
    axes = Axes.of(setting.space());
    cube = new UnitCube(axes);
    distinct = Distinct.in(axes);
    history = new History(axes, setting.direction());
    design = new Design(cube, coldStart, Rng.keyed(seed, -1));
    joint = new Surrogate(cube, false);
    additive = new Surrogate(cube, true);
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
    double[] place = null;
    if (history.ended().size() >= coldStart && cube.size() > 0) {
      place = modelled(rng);
    } else if (number < design.size()) {
      place = design.place((int) number);
    }
    return place == null ? axes.sample(rng) : cube.point(place);
  }

  private double @Nullable [] modelled(Rng rng) {
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
            place -> distinct.isFree(cube.point(place)),
            rng);
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
