package io.orrery.tuner.search.bayes;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.experiment.TrialCost;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.auto.Auto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what a search makes of the costs of trials. */
class SpendingTest {
  private static final SearchSpace SQUARE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]}, "y": {"_type": "uniform", "_value": [0, 1]}}
          """);

  private static final Duration BUDGET = Duration.ofSeconds(150);
  private static final TrialCost BY_TIME = new TrialCost(null, null, BUDGET);

  /** Costs from a tenth of a second, at x = 0, to ten. */
  private static double rising(Parameters p) {
    return Math.pow(100, number(p, "x") - 0.5);
  }

  /** Two valleys, at x = 0.15 and x = 0.85, the second one deeper by so much. */
  private static ToDoubleFunction<Parameters> valleys(double deeper) {
    return p -> {
      double y = number(p, "y") - 0.3;
      double x = number(p, "x");
      double left = 8 * (x - 0.15) * (x - 0.15);
      double right = 8 * (x - 0.85) * (x - 0.85) - deeper;
      return Math.min(left, right) + y * y;
    };
  }

  /**
   * A search.
   *
   * @param untilGood what was spent after the design until the best was below 0.002
   */
  private record Run(int trials, double best, double untilGood) {}

  /** Searches until a budget is spent. */
  private static Run play(long seed, @Nullable TrialCost cost, ToDoubleFunction<Parameters> loss) {
    Tuner tuner = Auto.FACTORY.open(setting(SQUARE, seed, cost));
    double budget = BUDGET.toSeconds();
    double spent = 0;
    double best = Double.POSITIVE_INFINITY;
    double untilGood = 0;
    int trials = 0;
    while (spent < budget && trials < 150) {
      Suggestion next = tuner.suggest(1, trials++).items().getFirst();
      double value = loss.applyAsDouble(next.parameters());
      double price = rising(next.parameters());
      spent += price;
      untilGood += best > 0.002 && trials > 10 ? price : 0;
      best = Math.min(best, value);
      tuner.learn(new Result(next.parameterId(), next.parameters(), List.of(value), false, price));
    }
    return new Run(trials, best, untilGood);
  }

  private static Setting setting(SearchSpace space, long seed, @Nullable TrialCost cost) {
    Objectives objectives = Objectives.of(Direction.MINIMIZE);
    return new Setting(space, Arguments.NONE, objectives, seed, ".", List.of(), cost);
  }

  @Test
  void whereValleysAreAlikeItSearchesTheCheapOne() {
    double aware = 0;
    double plain = 0;
    for (long seed = 0; seed < 5; seed++) {
      aware += play(seed, BY_TIME, valleys(0)).untilGood();
      plain += play(seed, null, valleys(0)).untilGood();
    }
    assertThat(aware).isLessThan(0.8 * plain);
  }

  @Test
  void whatIsBestIsFoundThoughItIsDear() {
    for (long seed = 0; seed < 3; seed++) {
      assertThat(play(seed, BY_TIME, valleys(0.5)).best()).as("seed %s", seed).isLessThan(-0.45);
    }
  }

  @Test
  void aMetricThatTrialsReportMayBeTheCost() {
    TrialCost energy = new TrialCost("energy", 100L, null);

    assertThat(play(1, energy, valleys(0)).trials())
        .isGreaterThan(play(1, null, valleys(0)).trials());
  }

  @Test
  void withoutTheMeasureCostsChangeNothing() {
    for (SearchSpace space : List.of(Regret.MIXED, Spaces.NESTED)) {
      assertThat(sequence(Auto.FACTORY.open(setting(space, 4, null)), true))
          .isEqualTo(sequence(Auto.FACTORY.open(setting(space, 4, null)), false));
    }
  }

  @Test
  void withTheMeasureAndWithoutCostsEverySuggestionIsAsWithoutTheMeasure() {
    for (SearchSpace space : List.of(Regret.MIXED, Spaces.NESTED)) {
      assertThat(sequence(Auto.FACTORY.open(setting(space, 4, BY_TIME)), false))
          .isEqualTo(sequence(Auto.FACTORY.open(setting(space, 4, null)), false));
    }
  }

  @Test
  void oneThatIsToldThePastGoesOnAsTheOneBefore() {
    for (TrialCost cost : List.of(BY_TIME, new TrialCost(null, null, null))) {
      Tuner first = Auto.FACTORY.open(setting(Regret.MIXED, 4, cost));
      Tuner second = Auto.FACTORY.open(setting(Regret.MIXED, 4, cost));
      for (int i = 0; i < 40; i += 4) {
        List<Suggestion> next = first.suggest(4, i).items();
        next.forEach(second::remember);
        for (Suggestion trial : next) {
          Result result = ended(trial, true);
          first.learn(result);
          second.learn(result);
        }
      }
      assertThat(second.suggest(3, 40)).isEqualTo(first.suggest(3, 40));
    }
  }

  private static Result ended(Suggestion trial, boolean priced) {
    int hash = trial.parameters().toJson().hashCode();
    double value = hash % 7 == 0 ? Double.NaN : hash % 1_000;
    double cost = priced && hash % 5 != 0 ? 1 + Math.abs(hash % 300) / 100.0 : Double.NaN;
    return new Result(trial.parameterId(), trial.parameters(), List.of(value), false, cost);
  }

  /** The suggestions of forty trials, four at a time. */
  private static List<Suggestion> sequence(Tuner tuner, boolean priced) {
    List<Suggestion> all = new ArrayList<>();
    for (int i = 0; i < 40; i += 4) {
      List<Suggestion> next = tuner.suggest(4, i).items();
      all.addAll(next);
      next.forEach(trial -> tuner.learn(ended(trial, priced)));
    }
    return all;
  }
}
