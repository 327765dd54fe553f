package io.orrery.tuner.search.auto;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Played;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AutoTest extends TunerContract {
  private static final SearchSpace MIXED =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [-5, 5]},
           "y": {"_type": "loguniform", "_value": [0.001, 1000]},
           "n": {"_type": "randint", "_value": [0, 30]},
           "c": {"_type": "choice", "_value": ["bad", "worse", "good", "worst"]}}
          """);

  private static final SearchSpace BRANCHES =
      Spaces.of(
          """
          {"model": {"_type": "choice", "_value": [
             {"_name": "easy", "depth": {"_type": "randint", "_value": [1, 16]}},
             {"_name": "hard", "rate": {"_type": "loguniform", "_value": [1e-6, 1]},
              "width": {"_type": "uniform", "_value": [0, 1]}}]}}
          """);

  @Override
  protected TunerFactory factory() {
    return Auto.FACTORY;
  }

  /** Least, 0, at x = 2, y = 10, n = 11, c = good. */
  private static double bowl(Parameters p) {
    double x = number(p, "x") - 2;
    double y = Math.log10(number(p, "y")) - 1;
    double n = (number(p, "n") - 11) / 5;
    return x * x + y * y + n * n + ("good".equals(p.values().get("c")) ? 0 : 3);
  }

  /**
   * The easy branch is 0.2 wherever one looks; the hard one is bad but for a small part, where 0.
   */
  private static double branches(Parameters p) {
    Map<?, ?> model = (Map<?, ?>) p.values().get("model");
    if (model.get("depth") instanceof Number depth) {
      return 0.2 + 0.001 * Math.abs(depth.doubleValue() - 7);
    }
    double rate = model.get("rate") instanceof Number r ? Math.log10(r.doubleValue()) + 2.5 : 9;
    double width = model.get("width") instanceof Number w ? w.doubleValue() - 0.3 : 9;
    return Math.min(1, 0.2 * rate * rate + width * width);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void itFindsTheBottomOfAMixedBowlInEitherDirection(Direction direction) {
    double sign = direction == Direction.MINIMIZE ? 1 : -1;
    for (long seed = 0; seed < 3; seed++) {
      Played played = Played.play(factory(), MIXED, direction, seed, 60, p -> sign * bowl(p));
      double best = direction == Direction.MINIMIZE ? played.least() : -played.greatest();
      Played random =
          Played.play(RandomSearch.FACTORY, MIXED, Direction.MINIMIZE, seed, 60, AutoTest::bowl);
      assertThat(best).isLessThan(0.01).isLessThan(random.least());
    }
  }

  @Test
  void aBranchThatLookedBadAtFirstIsLookedAtAgain() {
    for (long seed = 0; seed < 5; seed++) {
      Played played =
          Played.play(factory(), BRANCHES, Direction.MINIMIZE, seed, 80, AutoTest::branches);
      assertThat(played.least()).as("the easy branch has 0.2").isLessThan(0.02);
    }
  }
}
