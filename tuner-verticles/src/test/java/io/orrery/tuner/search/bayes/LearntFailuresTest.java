package io.orrery.tuner.search.bayes;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.auto.Auto;
import io.orrery.tuner.search.gp.Gp;
import io.orrery.tuner.surrogate.Acquisition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests what a search makes of trials that fail. */
class LearntFailuresTest {
  private static final SearchSpace SQUARE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]}, "y": {"_type": "uniform", "_value": [0, 1]}}
          """);

  private static final Function<Rng, Plan> PLAN =
      rng -> new Plan(false, Plan.look(rng), Acquisition.ExpectedImprovement::new);

  /** Least, 0, at x = 0.55, y = 0.3; it would be better still beyond x = 0.6. */
  private static double slope(Parameters p) {
    double y = number(p, "y") - 0.3;
    return Math.abs(number(p, "x") - 0.55) + 3 * y * y;
  }

  private record Run(int failed, double best) {}

  private static Run play(
      TunerFactory factory, long seed, int trials, BiPredicate<Parameters, Integer> fails) {
    Tuner tuner = factory.open(new Setting(SQUARE, Arguments.NONE, Direction.MINIMIZE, seed));
    int failed = 0;
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < trials; i++) {
      Suggestion next = tuner.suggest(1, i).items().getFirst();
      boolean fail = fails.test(next.parameters(), i);
      double value = fail ? Double.NaN : slope(next.parameters());
      failed += fail ? 1 : 0;
      best = fail ? best : Math.min(best, value);
      tuner.learn(new Result(next.parameterId(), next.parameters(), value));
    }
    return new Run(failed, best);
  }

  @Test
  void aRegionThatCrashesDoesNotKeepItFromItsEdge() {
    for (long seed = 0; seed < 3; seed++) {
      Run run = play(Auto.FACTORY, seed, 60, (p, i) -> number(p, "x") > 0.6);

      assertThat(run.failed()).as("of 60, seed %s", seed).isLessThan(40);
      assertThat(run.best()).isLessThan(0.02);
    }
  }

  @Test
  void crashesByChanceDoNotKeepItFromTheBottom() {
    double learnt = 0;
    double asBadAsTheWorst = 0;
    for (long seed = 0; seed < 4; seed++) {
      long own = seed;
      BiPredicate<Parameters, Integer> fails = (p, i) -> Rng.keyed(own, i).nextDouble() < 0.3;
      learnt += Math.log(1e-4 + play(Auto.FACTORY, seed, 60, fails).best());
      asBadAsTheWorst += Math.log(1e-4 + play(Gp.FACTORY, seed, 60, fails).best());
    }
    assertThat(Math.exp(learnt / 4)).isLessThan(0.01);
    assertThat(learnt).isLessThan(asBadAsTheWorst);
  }

  @Test
  void withoutFailuresEverySuggestionIsAsWithoutTheModel() {
    for (SearchSpace space : List.of(Regret.MIXED, Spaces.NESTED)) {
      assertThat(sequence(BayesianSearch.openLearningFailures(setting(space), 10, PLAN), false))
          .isEqualTo(sequence(BayesianSearch.open(setting(space), 10, PLAN), false));
    }
  }

  @Test
  void whatWasCancelledIsNoFailure() {
    SearchSpace space = Regret.MIXED;
    assertThat(sequence(BayesianSearch.openLearningFailures(setting(space), 10, PLAN), true))
        .isEqualTo(sequence(BayesianSearch.open(setting(space), 10, PLAN), true));
  }

  private static Setting setting(SearchSpace space) {
    return new Setting(space, Arguments.NONE, Direction.MINIMIZE, 4);
  }

  /** The suggestions of forty trials, four at a time, of which one in five may be cancelled. */
  private static List<Suggestion> sequence(Tuner tuner, boolean cancelling) {
    List<Suggestion> all = new ArrayList<>();
    for (int i = 0; i < 40; i += 4) {
      List<Suggestion> next = tuner.suggest(4, i).items();
      all.addAll(next);
      for (Suggestion trial : next) {
        boolean cancelled = cancelling && all.size() % 5 == 0;
        double value = cancelled ? Double.NaN : trial.parameters().toJson().hashCode() % 1_000;
        tuner.learn(new Result(trial.parameterId(), trial.parameters(), List.of(value), cancelled));
      }
    }
    return all;
  }
}
