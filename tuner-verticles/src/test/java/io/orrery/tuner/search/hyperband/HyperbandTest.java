package io.orrery.tuner.search.hyperband;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HyperbandTest extends BracketContract {
  private static final SearchSpace LINE = Spaces.one("uniform", "[0, 1]");

  @Override
  protected TunerFactory factory() {
    return Hyperband.FACTORY;
  }

  private static Tuner tuner(String arguments, Direction direction) {
    List<Finding> findings = new ArrayList<>();
    Arguments read =
        Arguments.read(
            Hyperband.FACTORY.description().options(),
            Spaces.read(arguments).values(),
            "",
            findings);
    assertThat(findings).isEmpty();
    return Hyperband.FACTORY.open(new Setting(LINE, read, direction, 1));
  }

  private static double p(Suggestion suggestion) {
    return (Double) suggestion.parameters().values().get("p");
  }

  /** Runs trials one after the other. */
  private static List<Suggestion> run(
      Tuner tuner, int trials, ToDoubleFunction<Suggestion> metric) {
    List<Suggestion> all = new ArrayList<>();
    for (int number = 0; number < trials; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      tuner.learn(new Result(next.parameterId(), next.parameters(), metric.applyAsDouble(next)));
      all.add(next);
    }
    return all;
  }

  /** Table 1 of the paper, with the sizes that its algorithm 1 gives. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          4 | 81@1 27@3 9@9 3@27 1@81
          3 | 34@3 11@9 3@27 1@81
          2 | 15@9 5@27 1@81
          1 | 8@27 2@81
          0 | 5@81
          """)
  void theBracketsAreThoseOfThePaper(int s, String rungs) {
    Ladder ladder = Ladder.between(1, 81, 3);
    assertThat(ladder.top()).isEqualTo(4);
    assertThat(ladder.bracket(s))
        .extracting(rung -> rung.size() + "@" + rung.budget())
        .containsExactly(rungs.split(" "));
  }

  @Test
  void idsAndBudgetsAreThoseOfNni() {
    List<Suggestion> all = run(tuner("{\"R\": 9}", Direction.MINIMIZE), 23, HyperbandTest::p);
    assertThat(all)
        .extracting(s -> s.parameterId() + " " + budget(s.parameters()))
        .startsWith("0-2_0_0 1", "0-2_0_1 1")
        .endsWith("0-0_0_20 9", "0-0_0_21 9", "1-2_0_22 1");
    assertThat(all)
        .extracting(Suggestion::parameterId)
        .filteredOn(id -> id.startsWith("0-2_1_"))
        .hasSize(3)
        .allMatch(id -> Long.parseLong(id.substring(6)) < 9);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void theBestGoOn(Direction direction) {
    List<Suggestion> all = run(tuner("{\"R\": 9}", direction), 13, HyperbandTest::p);
    List<Double> first = all.subList(0, 9).stream().map(HyperbandTest::p).sorted().toList();
    List<Double> best = direction == Direction.MINIMIZE ? first.subList(0, 3) : first.subList(6, 9);
    assertThat(all.subList(9, 12))
        .extracting(HyperbandTest::p)
        .containsExactlyInAnyOrderElementsOf(best);
    assertThat(p(all.get(12)))
        .isEqualTo(direction == Direction.MINIMIZE ? first.getFirst() : first.getLast());
    assertThat(all.get(12).parameters().values()).containsEntry("TRIAL_BUDGET", 9L);
  }

  @Test
  void serialWaitsForTheBracketAndParallelDoesNot() {
    Tuner serial = tuner("{\"R\": 9, \"exec_mode\": \"serial\"}", Direction.MINIMIZE);
    Suggestions nine = serial.suggest(12, 0);
    assertThat(nine.items()).hasSize(9);
    assertThat(nine.exhausted()).isFalse();
    assertThat(serial.suggest(1, 9).items()).isEmpty();
    nine.items().forEach(s -> serial.learn(new Result(s.parameterId(), s.parameters(), p(s))));
    assertThat(serial.suggest(12, 9).items())
        .extracting(Suggestion::parameterId)
        .hasSize(3)
        .allMatch(id -> id.startsWith("0-2_1_"));
    Tuner parallel = tuner("{\"R\": 9}", Direction.MINIMIZE);
    assertThat(parallel.suggest(12, 0).items().subList(9, 12))
        .extracting(Suggestion::parameterId)
        .containsExactly("0-1_0_9", "0-1_0_10", "0-1_0_11");
  }

  @Test
  void aRoundIsOverWhenAllItsTrialsHaveEnded() {
    Tuner tuner = tuner("{\"R\": 9}", Direction.MINIMIZE);
    List<Suggestion> nine = tuner.suggest(9, 0).items();
    for (Suggestion s : nine.subList(1, 9)) {
      tuner.learn(new Result(s.parameterId(), s.parameters(), p(s)));
    }
    assertThat(tuner.suggest(1, 9).items().getFirst().parameterId()).isEqualTo("0-1_0_9");
    Suggestion last = nine.getFirst();
    tuner.learn(new Result(last.parameterId(), last.parameters(), -1));
    assertThat(tuner.suggest(1, 10).items().getFirst().parameterId()).isEqualTo("0-2_1_0");
  }

  @Test
  void whatFailedDoesNotGoOn() {
    Tuner tuner = tuner("{\"R\": 9}", Direction.MINIMIZE);
    List<Suggestion> all = run(tuner, 12, s -> p(s) < 0.8 ? Double.NaN : p(s));
    long usable = all.subList(0, 9).stream().filter(s -> p(s) >= 0.8).count();
    assertThat(usable).as("of this seed").isBetween(1L, 2L);
    assertThat(all.subList(9, 12))
        .as("after it comes what is left of the round")
        .filteredOn(s -> s.parameterId().startsWith("0-2_1_"))
        .hasSize((int) usable)
        .allMatch(s -> p(s) >= 0.8);
    assertThat(all.get(9 + (int) usable).parameterId()).startsWith("0-2_2_");
  }

  @Test
  void theLastResultOfATrialDecides() {
    Tuner tuner = tuner("{\"R\": 3}", Direction.MINIMIZE);
    List<Suggestion> three = tuner.suggest(3, 0).items();
    for (Suggestion s : three) {
      tuner.learn(new Result(s.parameterId(), s.parameters(), 5));
    }
    Suggestion again = three.get(2);
    tuner.learn(new Result(again.parameterId(), again.parameters(), 4));
    assertThat(tuner.suggest(1, 3).items().getFirst().parameterId()).isEqualTo("0-1_1_2");
  }

  @Test
  void aSpaceWithAParameterOfThatNameIsRefused() {
    SearchSpace space =
        Spaces.of("{\"TRIAL_BUDGET\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}");
    assertThat(Hyperband.FACTORY.check(space))
        .extracting(Finding::pointer)
        .containsExactly("/searchSpace/TRIAL_BUDGET");
    assertThat(Hyperband.FACTORY.check(LINE)).isEmpty();
  }

  @Test
  void withoutParametersItGoesOnForEver() {
    Tuner tuner =
        Hyperband.FACTORY.open(
            new Setting(SearchSpace.EMPTY, Arguments.NONE, Direction.MAXIMIZE, 1));
    assertThat(run(tuner, 300, s -> 1))
        .allMatch(s -> configuration(s.parameters()).equals(Parameters.EMPTY));
  }

  @Test
  void argumentsAreCalledAsInNni() {
    assertThat(Hyperband.FACTORY.description().options())
        .extracting(option -> option.name() + "=" + option.standard())
        .contains("R=60", "eta=3", "exec_mode=parallelism");
  }
}
