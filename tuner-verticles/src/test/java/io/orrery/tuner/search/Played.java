package io.orrery.tuner.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A tuner's trials on a metric that is a formula, one after the other. */
public record Played(List<Parameters> trials, List<Double> values) {
  public static Played play(
      TunerFactory factory,
      SearchSpace space,
      Direction direction,
      long seed,
      int trials,
      ToDoubleFunction<Parameters> metric) {
    Tuner tuner = factory.open(new Setting(space, Arguments.NONE, direction, seed));
    List<Parameters> tried = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (int number = 0; number < trials; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      double value = metric.applyAsDouble(next.parameters());
      tuner.learn(new Result(next.parameterId(), next.parameters(), value));
      tried.add(next.parameters());
      values.add(value);
    }
    return new Played(tried, values);
  }

  public double least() {
    return values.stream().mapToDouble(value -> value).min().orElseThrow();
  }

  public double greatest() {
    return values.stream().mapToDouble(value -> value).max().orElseThrow();
  }

  /** A number of some parameters. */
  public static double number(Parameters parameters, String name) {
    return parameters.values().get(name) instanceof Number number
        ? number.doubleValue()
        : Double.NaN;
  }
}
