package io.orrery.tuner.search.cmaes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Played;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import org.junit.jupiter.api.Test;

class CmaEsTest extends TunerContract {
  private static final SearchSpace VALLEY =
      Spaces.of(
          """
          {"a": {"_type": "uniform", "_value": [-2, 3]},
           "b": {"_type": "uniform", "_value": [-2, 3]},
           "c": {"_type": "uniform", "_value": [-2, 3]}}
          """);
  private static final SearchSpace WHOLE =
      Spaces.of(
          """
          {"n": {"_type": "randint", "_value": [0, 40]},
           "m": {"_type": "randint", "_value": [0, 40]},
           "x": {"_type": "uniform", "_value": [0, 1]},
           "o": {"_type": "choice", "_value": ["p", "q", "r"]}}
          """);

  @Override
  protected TunerFactory factory() {
    return CmaEs.FACTORY;
  }

  /** Rosenbrock's valley, 0 at (1, 1, 1). */
  private static double valley(Parameters p) {
    double a = Played.number(p, "a");
    double b = Played.number(p, "b");
    double c = Played.number(p, "c");
    return 100 * Math.pow(b - a * a, 2)
        + Math.pow(1 - a, 2)
        + 100 * Math.pow(c - b * b, 2)
        + Math.pow(1 - b, 2);
  }

  private static double whole(Parameters p) {
    double n = (Played.number(p, "n") - 31) / 10;
    double m = (Played.number(p, "m") - 3) / 10;
    double x = Played.number(p, "x") - 0.8;
    return n * n + m * m + 4 * x * x + ("q".equals(p.values().get("o")) ? 0 : 0.5);
  }

  @Test
  void itLearnsTheShapeOfACurvedValley() {
    for (long seed = 0; seed < 3; seed++) {
      Played played =
          Played.play(factory(), VALLEY, Direction.MINIMIZE, seed, 1_500, CmaEsTest::valley);
      assertThat(played.least()).as("random search comes to 1 or so").isLessThan(1e-3);
    }
  }

  @Test
  void wholeNumbersAndChoicesAreFoundAsWell() {
    for (long seed = 0; seed < 3; seed++) {
      Played played = Played.play(factory(), WHOLE, Direction.MAXIMIZE, seed, 600, p -> -whole(p));
      assertThat(played.greatest()).isGreaterThan(-1e-3);
    }
  }
}
