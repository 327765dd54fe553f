package io.orrery.benchmarks.tunerspeed;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A workload for a tuner: ten uniform parameters, a history drawn at random, a bowl to search. */
final class Workload {
  private static final int PARAMETERS = 10;

  private static final SearchSpace SPACE =
      SpaceReader.read(
          Json.MAPPER.valueToTree(
              IntStream.range(0, PARAMETERS)
                  .mapToObj(i -> "x" + i)
                  .collect(
                      LinkedHashMap::new,
                      (space, name) ->
                          space.put(name, Map.of("_type", "uniform", "_value", List.of(0, 1))),
                      Map::putAll)));

  private Workload() {}

  /** All tuners that take the space. */
  static List<TunerFactory> tuners() {
    return Catalog.standard().tuners().stream()
        .filter(factory -> factory.description().types().contains("uniform"))
        .toList();
  }

  /**
   * The tuner of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static TunerFactory tuner(String name) {
    return Catalog.standard().tuners().stream()
        .filter(factory -> factory.description().name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no tuner '" + name + "'"));
  }

  /** A tuner made anew from a stored history of so many trials. */
  static Tuner rebuilt(TunerFactory factory, int observations) {
    Axes axes = Axes.of(SPACE);
    Tuner tuner = factory.open(new Setting(SPACE, Arguments.NONE, Direction.MINIMIZE, 1));
    for (int number = 0; number < observations; number++) {
      Parameters past = axes.decode(axes.sample(Rng.keyed(1, number)));
      Suggestion suggestion = new Suggestion(Integer.toString(number), past);
      tuner.remember(suggestion);
      tuner.learn(new Result(suggestion.parameterId(), past, bowl(past)));
    }
    return tuner;
  }

  /** Asks for the suggestion of this number and tells its result. */
  static void step(Tuner tuner, int number) {
    for (Suggestion next : tuner.suggest(1, number).items()) {
      tuner.learn(new Result(next.parameterId(), next.parameters(), bowl(next.parameters())));
    }
  }

  private static double bowl(Parameters parameters) {
    return parameters.values().values().stream()
        .mapToDouble(value -> value instanceof Number x ? Math.pow(x.doubleValue() - 0.3, 2) : 0)
        .sum();
  }
}
