package io.orrery.tuner.search;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A measure of how well tuners do on problems that are written as formulas. */
public final class Regret {
  /** Six numbers, one of them in logarithms, one an integer, and a choice. */
  public static final SearchSpace MIXED =
      Spaces.of(
          """
          {"a": {"_type": "uniform", "_value": [-2, 3]}, "b": {"_type": "uniform", "_value": [0, 1]},
           "c": {"_type": "loguniform", "_value": [1e-4, 10]}, "d": {"_type": "uniform", "_value": [5, 9]},
           "n": {"_type": "randint", "_value": [0, 30]},
           "k": {"_type": "choice", "_value": ["p", "q", "r"]}}
          """);

  private Regret() {}

  /** Least, 0, inside of {@link #MIXED}; about 3 at a random place. */
  public static double bowl(Parameters parameters) {
    double a = number(parameters, "a") - 1.3;
    double b = 2 * (number(parameters, "b") - 0.2);
    double c = 0.5 * (Math.log10(number(parameters, "c")) + 1.5);
    double d = number(parameters, "d") - 6;
    double n = 0.1 * (number(parameters, "n") - 21);
    double k = "q".equals(parameters.values().get("k")) ? 0 : 0.7;
    return a * a + b * b + c * c + 0.3 * d * d + n * n + k;
  }

  private static double number(Parameters parameters, String name) {
    return parameters.values().get(name) instanceof Number number
        ? number.doubleValue()
        : Double.NaN;
  }

  /** The least value that a tuner finds, the mean over some seeds. */
  public static double after(
      int trials, TunerFactory factory, Direction direction, Map<String, Object> classArgs) {
    Arguments arguments =
        Arguments.read(factory.description().options(), classArgs, "", new java.util.ArrayList<>());
    double sum = 0;
    int seeds = 10;
    for (int seed = 0; seed < seeds; seed++) {
      Tuner tuner = factory.open(new Setting(MIXED, arguments, direction, seed));
      sum += best(tuner, trials, direction, Regret::bowl);
    }
    return sum / seeds;
  }

  private static double best(
      Tuner tuner, int trials, Direction direction, ToDoubleFunction<Parameters> loss) {
    double sign = direction == Direction.MINIMIZE ? 1 : -1;
    double best = Double.POSITIVE_INFINITY;
    for (int number = 0; number < trials; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      double value = loss.applyAsDouble(next.parameters());
      best = Math.min(best, value);
      tuner.learn(new Result(next.parameterId(), next.parameters(), sign * value));
    }
    return best;
  }
}
