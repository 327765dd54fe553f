package io.orrery.tuner.search.bohb;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.hyperband.BracketContract;
import io.orrery.tuner.search.hyperband.Hyperband;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BohbTest extends BracketContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [-5, 5]},
           "y": {"_type": "loguniform", "_value": [0.001, 1000]},
           "c": {"_type": "choice", "_value": ["bad", "worse", "good", "worst"]}}
          """);

  @Override
  protected TunerFactory factory() {
    return Bohb.FACTORY;
  }

  /** The model thinks for a while each time, so there are fewer than of others. */
  @Override
  protected List<SearchSpace> spaces() {
    return List.of(Spaces.NESTED, Spaces.CONTINUOUS);
  }

  private static Tuner open(TunerFactory factory, SearchSpace space, Map<String, ?> given) {
    List<Finding> findings = new ArrayList<>();
    Arguments read = Arguments.read(factory.description().options(), given, "", findings);
    assertThat(findings).isEmpty();
    return factory.open(new Setting(space, read, Direction.MINIMIZE, 1));
  }

  /** Least, 0, at x = 2, y = 10, c = good; small budgets see it through a haze. */
  private static double loss(Suggestion suggestion) {
    Map<String, Object> values = suggestion.parameters().values();
    double x = (Double) values.get("x") - 2;
    double y = Math.log10((Double) values.get("y")) - 1;
    double haze = Rng.keyed(values.hashCode(), 0).nextDouble() / budget(suggestion.parameters());
    return x * x + y * y + ("good".equals(values.get("c")) ? 0 : 3) + haze;
  }

  /** The mean loss of configurations that began in the second round of brackets. */
  private static double later(Tuner tuner) {
    double sum = 0;
    int count = 0;
    for (int number = 0; number < 120; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      double loss = loss(next);
      tuner.learn(new Result(next.parameterId(), next.parameters(), loss));
      if (next.parameterId().matches("[1-9]\\d*-\\d+_0_.*")) {
        sum += loss;
        count++;
      }
    }
    return sum / count;
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"compatibility\": \"nni\"}"})
  void configurationsComeFromWhereGoodOnesAre(String model) {
    Map<String, Object> arguments = new HashMap<>(Spaces.read(model).values());
    arguments.put("max_budget", 27);
    double blind = later(open(Hyperband.FACTORY, PLANE, Map.of("R", 27)));
    double modelled = later(open(Bohb.FACTORY, PLANE, arguments));
    assertThat(modelled).isLessThan(0.7 * blind);
  }

  @Test
  void budgetsLieBetweenTheTwo() {
    Tuner tuner = open(Bohb.FACTORY, PLANE, Map.of("min_budget", 2, "max_budget", 50));
    List<Long> budgets = new ArrayList<>();
    for (int number = 0; number < 60; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      budgets.add(budget(next.parameters()));
      tuner.learn(new Result(next.parameterId(), next.parameters(), loss(next)));
    }
    assertThat(budgets).containsOnly(5L, 16L, 50L);
  }

  @Test
  void whatIsAskedForTogetherDiffers() {
    Tuner tuner = open(Bohb.FACTORY, PLANE, Map.of("max_budget", 27, "random_fraction", 0));
    for (Suggestion next : tuner.suggest(27, 0).items()) {
      tuner.learn(new Result(next.parameterId(), next.parameters(), loss(next)));
    }
    List<Suggestion> together = tuner.suggest(15, 27).items();
    assertThat(together.stream().map(s -> configuration(s.parameters())).distinct()).hasSize(15);
  }

  @Test
  void argumentsAreCalledAsInNni() {
    assertThat(Bohb.FACTORY.description().options())
        .extracting(option -> option.name() + "=" + option.standard())
        .contains(
            "min_budget=1",
            "max_budget=3",
            "eta=3",
            "min_points_in_model=null",
            "top_n_percent=15",
            "num_samples=64",
            "random_fraction=" + 1 / 3.0,
            "bandwidth_factor=3.0",
            "min_bandwidth=0.001");
  }

  @Test
  void whoSetsAnArgumentOfTheDensitiesGetsThem() {
    assertThat(BohbOptions.of(Arguments.NONE).kernels()).isFalse();
    List<Finding> findings = new ArrayList<>();
    Arguments some = Arguments.read(BohbOptions.ALL, Map.of("top_n_percent", 20), "", findings);
    assertThat(BohbOptions.of(some).kernels()).isTrue();
  }
}
