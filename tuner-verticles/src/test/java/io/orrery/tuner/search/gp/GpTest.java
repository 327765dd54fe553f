package io.orrery.tuner.search.gp;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Played;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpTest extends TunerContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x1": {"_type": "uniform", "_value": [-5, 10]},
           "x2": {"_type": "uniform", "_value": [0, 15]}}
          """);

  @Override
  protected TunerFactory factory() {
    return Gp.FACTORY;
  }

  /** Branin's function: three bottoms of 0.397887. */
  private static double branin(Parameters p) {
    double x = Played.number(p, "x1");
    double y = Played.number(p, "x2");
    double bend = y - 5.1 / (4 * Math.PI * Math.PI) * x * x + 5 / Math.PI * x - 6;
    return bend * bend + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
  }

  @Test
  void aSmoothFunctionsBottomIsFoundPrecisely() {
    for (long seed = 0; seed < 3; seed++) {
      Played played = Played.play(factory(), PLANE, Direction.MINIMIZE, seed, 40, GpTest::branin);
      assertThat(played.least()).as("random search comes to 1.2 or so").isLessThan(0.41);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ei", "ucb", "poi", "UCB"})
  void everyUtilityOfNniSearches(String utility) {
    Tuner tuner =
        factory()
            .open(
                new Setting(
                    PLANE,
                    read("{\"utility\": \"" + utility + "\", \"cold_start_num\": 5}"),
                    Direction.MINIMIZE,
                    1));
    assertThat(tuner.suggest(8, 0).items()).hasSize(8);
  }

  @Test
  void argumentsAreCalledAsInNni() {
    assertThat(
            read(
                """
                {"optimize_mode": "maximize", "utility": "ei", "kappa": 5.0, "xi": 0.0,
                 "nu": 2.5, "alpha": 1e-6, "cold_start_num": 10,
                 "selection_num_warm_up": 100000, "selection_num_starting_points": 250}
                """))
        .isNotNull();
    List<Finding> findings = new ArrayList<>();
    Arguments.read(
        factory().description().options(),
        Spaces.read("{\"utility\": \"eii\", \"cold_start_num\": 0}").values(),
        "",
        findings);
    assertThat(findings)
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder("/utility", "/cold_start_num");
  }

  private Arguments read(String json) {
    List<Finding> findings = new ArrayList<>();
    Arguments arguments =
        Arguments.read(factory().description().options(), Spaces.read(json).values(), "", findings);
    assertThat(findings).isEmpty();
    return arguments;
  }
}
