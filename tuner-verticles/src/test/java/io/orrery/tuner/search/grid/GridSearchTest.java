package io.orrery.tuner.search.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class GridSearchTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return GridSearch.FACTORY;
  }

  private List<Object> values(SearchSpace space, int count) {
    return open(space, 0).suggest(count, 0).items().stream()
        .map(s -> s.parameters().values().get("p"))
        .toList();
  }

  private List<String> walk(SearchSpace space, int count) {
    return open(space, 0).suggest(count, 0).items().stream()
        .map(s -> s.parameters().values().values().toString())
        .toList();
  }

  @Test
  void aContinuousParameterIsHalvedForEver() {
    assertThat(values(Spaces.one("uniform", "[0, 1]"), 9))
        .containsExactly(0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875, 0.0625, 0.1875);
  }

  @Test
  void aLogarithmicParameterIsHalvedInItsLogarithm() {
    assertThat(values(Spaces.one("loguniform", "[0.0001, 1]"), 3))
        .map(v -> Math.round(Math.log10((Double) v) * 1e9) / 1e9)
        .containsExactly(-2.0, -3.0, -1.0);
  }

  @Test
  void aNormalParameterIsHalvedInItsProbability() {
    assertThat(values(Spaces.one("normal", "[10, 2]"), 3))
        .map(v -> Math.round((Double) v * 1e6) / 1e6)
        .containsExactly(10.0, 8.65102, 11.34898);
  }

  @Test
  void aRoundedParameterHasEachOfItsValuesOnce() {
    assertThat(values(Spaces.one("quniform", "[2, 10, 5]"), 9)).containsExactly(5.0, 10.0, 2.0);
    assertThat(values(Spaces.one("quniform", "[0, 1, 0.25]"), 9))
        .containsExactly(0.5, 0.25, 0.75, 0.0, 1.0);
  }

  @Test
  void valuesThatTheFirstHalvingsMissAreFoundByLaterOnes() {
    assertThat(values(Spaces.one("qloguniform", "[1, 200, 10]"), 99)).hasSize(21);
  }

  @Test
  void theLastParameterIsTheFastest() {
    SearchSpace space =
        Spaces.of(
            """
            {"a": {"_type": "choice", "_value": ["x", "y"]},
             "b": {"_type": "randint", "_value": [1, 4]}}
            """);
    assertThat(walk(space, 9))
        .containsExactly("[x, 1]", "[x, 2]", "[x, 3]", "[y, 1]", "[y, 2]", "[y, 3]");
  }

  @Test
  void aFinerGridVisitsOnlyWhatHasSomethingNewInIt() {
    SearchSpace space =
        Spaces.of(
            """
            {"a": {"_type": "choice", "_value": ["x", "y"]},
             "b": {"_type": "uniform", "_value": [0, 1]},
             "c": {"_type": "quniform", "_value": [0, 2, 1]}}
            """);
    assertThat(walk(space, 18))
        .containsExactly(
            "[x, 0.5, 1.0]",
            "[y, 0.5, 1.0]",
            "[x, 0.5, 0.0]",
            "[x, 0.5, 2.0]",
            "[x, 0.25, 1.0]",
            "[x, 0.25, 0.0]",
            "[x, 0.25, 2.0]",
            "[x, 0.75, 1.0]",
            "[x, 0.75, 0.0]",
            "[x, 0.75, 2.0]",
            "[y, 0.5, 0.0]",
            "[y, 0.5, 2.0]",
            "[y, 0.25, 1.0]",
            "[y, 0.25, 0.0]",
            "[y, 0.25, 2.0]",
            "[y, 0.75, 1.0]",
            "[y, 0.75, 0.0]",
            "[y, 0.75, 2.0]");
  }

  @Test
  void onlyTheChosenBranchIsWalked() {
    SearchSpace space =
        Spaces.of(
            """
            {"o": {"_type": "choice", "_value": [
               {"_name": "sgd", "m": {"_type": "choice", "_value": [1, 2]}},
               {"_name": "none"}]},
             "b": {"_type": "choice", "_value": [7, 8]}}
            """);
    assertThat(walk(space, 9))
        .containsExactly(
            "[{_name=sgd, m=1}, 7]",
            "[{_name=sgd, m=1}, 8]",
            "[{_name=sgd, m=2}, 7]",
            "[{_name=sgd, m=2}, 8]",
            "[{_name=none}, 7]",
            "[{_name=none}, 8]");
  }

  @Test
  void whatHistoryHoldsIsPassedOver() {
    Tuner tuner = open(Spaces.one("choice", "[1, 2, 3, 4]"), 0);
    tuner.remember(new Suggestion("0", Spaces.read("{\"p\": 2.0}")));
    tuner.learn(new Result(null, Spaces.read("{\"p\": 3}"), 1));
    Suggestions rest = tuner.suggest(9, 1);
    assertThat(rest.items())
        .extracting(s -> s.parameters().values().get("p"))
        .containsExactly(1, 4);
    assertThat(rest.exhausted()).isTrue();
  }

  @Test
  void aRoundedNormalParameterEndsToo() {
    Tuner tuner = open(Spaces.one("qnormal", "[0, 1, 0.5]"), 0);
    Suggestions all = tuner.suggest(1_000, 0);
    assertThat(all.exhausted()).isTrue();
    assertThat(all.items()).extracting(s -> s.parameters().canonical()).doesNotHaveDuplicates();
  }

  /** C4: as a person writes them, and as an earlier version or NNI wrote them. */
  @Test
  void aMultipleThatWasImportedIsNotTriedAgainHoweverItWasWritten() {
    for (String written : List.of("0.3", "0.30000000000000004")) {
      Tuner tuner = open(Spaces.one("quniform", "[0, 1, 0.1]"), 0);
      tuner.learn(new Result(null, Spaces.read("{\"p\": " + written + "}"), 1));
      assertThat(tuner.suggest(100, 0).items())
          .extracting(s -> s.parameters().values().get("p"))
          .containsExactlyInAnyOrder(0.0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0);
    }
  }

  /** C5. */
  @Test
  void multiplesThatHardlyAnyDrawGivesAreNotTried() {
    Suggestions all = open(Spaces.one("qnormal", "[0, 1, 1]"), 0).suggest(1_000, 0);
    assertThat(all.exhausted()).isTrue();
    assertThat(all.items())
        .extracting(s -> Math.abs((Double) s.parameters().values().get("p")))
        .allMatch(x -> x <= 5);
  }
}
