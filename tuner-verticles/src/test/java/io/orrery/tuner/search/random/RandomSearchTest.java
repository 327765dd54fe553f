package io.orrery.tuner.search.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments.ArgumentSet;
import org.junit.jupiter.params.provider.MethodSource;

class RandomSearchTest extends TunerContract {
  @Override
  protected TunerFactory factory() {
    return RandomSearch.FACTORY;
  }

  private static ArgumentSet law(String type, String value, DoubleUnaryOperator cdf) {
    return argumentSet(type, Spaces.one(type, value), cdf);
  }

  static List<ArgumentSet> laws() {
    double span = Math.log(100);
    return List.of(
        law("uniform", "[-1, 3]", x -> (x + 1) / 4),
        law("loguniform", "[0.1, 10]", x -> Math.log(x / 0.1) / span),
        law("normal", "[5, 2]", x -> Gaussian.cdf((x - 5) / 2)),
        law("lognormal", "[1, 0.5]", x -> Gaussian.cdf((Math.log(x) - 1) / 0.5)));
  }

  @ParameterizedTest
  @MethodSource("laws")
  void continuousDrawsFollowTheirLaw(SearchSpace space, DoubleUnaryOperator cdf) {
    double[] values = draw(space, 4_000);
    Arrays.sort(values);
    double distance = 0;
    for (int i = 0; i < values.length; i++) {
      double exact = cdf.applyAsDouble(values[i]);
      distance = Math.max(distance, Math.abs(exact - i / (double) values.length));
      distance = Math.max(distance, Math.abs(exact - (i + 1) / (double) values.length));
    }
    assertThat(distance)
        .as("Kolmogorov-Smirnov, p = 0.001")
        .isLessThan(1.95 / Math.sqrt(values.length));
  }

  static List<ArgumentSet> steppedLaws() {
    double span = Math.log(100);
    return List.of(
        law("quniform", "[2, 10, 5]", x -> Math.clamp(((x < 5 ? 2.5 : x + 2.5) - 2) / 8, 0, 1)),
        law("qloguniform", "[1, 100, 10]", x -> Math.log((x < 10 ? 5 : x + 5)) / span),
        law("qnormal", "[1, 4, 2]", x -> Gaussian.cdf((x + 1 - 1) / 4)),
        law("qlognormal", "[1, 1, 2]", x -> Gaussian.cdf(Math.log(x + 1) - 1)),
        law("randint", "[-3, 7]", x -> (x + 4) / 10));
  }

  /** A parameter beside them keeps the space continuous, so that repetition is allowed. */
  @ParameterizedTest
  @MethodSource("steppedLaws")
  void roundedDrawsHaveTheMassOfWhatRoundsToThem(SearchSpace space, DoubleUnaryOperator cdf) {
    Map<String, Dimension> both = new LinkedHashMap<>(space.dimensions());
    both.putAll(Spaces.of("{\"free\":{\"_type\":\"uniform\",\"_value\":[0,1]}}").dimensions());
    double[] values = draw(new SearchSpace(both), 4_000);
    for (double step : Arrays.stream(values).distinct().toArray()) {
      double below = Arrays.stream(values).filter(v -> v <= step).count() / 4_000.0;
      assertThat(below).isCloseTo(Math.min(1, cdf.applyAsDouble(step)), within(0.031));
    }
  }

  @Test
  void choicesAreEquallyLikely() {
    SearchSpace space =
        Spaces.of(
            """
            {"p": {"_type": "choice", "_value": [0, 1, 2, 3]},
             "free": {"_type": "uniform", "_value": [0, 1]}}
            """);
    double[] values = draw(space, 4_000);
    for (int option = 0; option < 4; option++) {
      int wanted = option;
      assertThat(Arrays.stream(values).filter(v -> v == wanted).count()).isBetween(880L, 1120L);
    }
  }

  @Test
  void aHugeSpaceIsCheapAndDoesNotRepeat() {
    SearchSpace space =
        Spaces.of(
            """
            {"a": {"_type": "randint", "_value": [0, 4000000000000000]},
             "b": {"_type": "randint", "_value": [0, 4000000000000000]},
             "c": {"_type": "qlognormal", "_value": [0, 9, 100]},
             "d": {"_type": "qnormal", "_value": [0, 1, 1e-12]}}
            """);
    Tuner tuner = open(space, 1);
    assertThat(tuner.suggest(1_000, 0).items())
        .extracting(s -> s.parameters().canonical())
        .doesNotHaveDuplicates();
  }

  @Test
  void whereNearlyAllMassIsOnOneValueTheRestIsStillFound() {
    Tuner tuner = open(Spaces.one("qlognormal", "[0, 0.5, 100]"), 1);
    Set<String> seen = new HashSet<>();
    Suggestions next = tuner.suggest(100, 0);
    next.items().forEach(s -> assertThat(seen.add(s.parameters().canonical())).isTrue());
    assertThat(next.exhausted()).isTrue();
    assertThat(seen).contains(Spaces.read("{\"p\": 0}").canonical());
  }

  @Test
  void aSpaceOfAHundredThousandPointsIsUsedUpWithoutSearchingLong() {
    SearchSpace space =
        Spaces.of(
            """
            {"a": {"_type": "randint", "_value": [0, 1000]},
             "b": {"_type": "randint", "_value": [0, 100]}}
            """);
    Tuner tuner = open(space, 1);
    Set<String> seen = new HashSet<>();
    for (int number = 0; number < 100_000; number += 1_000) {
      tuner.suggest(1_000, number).items().forEach(s -> seen.add(s.parameters().canonical()));
    }
    assertThat(seen).hasSize(100_000);
    assertThat(tuner.suggest(1, 100_000).exhausted()).isTrue();
  }

  @Test
  void whatAUserTriedIsNotSuggestedAgain() {
    Tuner tuner = open(Spaces.one("choice", "[\"a\", \"b\", \"c\"]"), 1);
    tuner.learn(new Result(null, Spaces.read("{\"p\": \"b\"}"), 1));
    assertThat(tuner.suggest(9, 0).items())
        .extracting(s -> s.parameters().values().get("p"))
        .containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void withoutParametersItGoesOnForEver() {
    Suggestions next = open(SearchSpace.EMPTY, 1).suggest(5, 0);
    assertThat(next.items()).hasSize(5).allMatch(s -> s.parameters().equals(Parameters.EMPTY));
    assertThat(next.exhausted()).isFalse();
  }

  @Test
  void aNumberHasItsSuggestionWhateverWasAskedBefore() {
    Suggestion late = open(Spaces.CONTINUOUS, 1).suggest(1, 57).items().getFirst();
    assertThat(open(Spaces.CONTINUOUS, 1).suggest(100, 0).items().get(57)).isEqualTo(late);
    assertThat(open(Spaces.CONTINUOUS, 2).suggest(100, 0).items().get(57)).isNotEqualTo(late);
  }

  @Test
  void itsOwnSeedArgumentWins() {
    Arguments seven =
        Arguments.read(factory().description().options(), Map.of("seed", 7), "", new ArrayList<>());
    Tuner tuner = factory().open(new Setting(Spaces.CONTINUOUS, seven, Direction.MAXIMIZE, 1));
    assertThat(tuner.suggest(1, 0)).isEqualTo(open(Spaces.CONTINUOUS, 7).suggest(1, 0));
  }

  private double[] draw(SearchSpace space, int count) {
    return open(space, 11).suggest(count, 0).items().stream()
        .mapToDouble(s -> number(s.parameters().values().get("p")))
        .toArray();
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** C5: it went on with every integer out to eight sigmas. */
  @Test
  void itEndsWhenOnlyImprobableMultiplesAreLeft() {
    Suggestions all = open(Spaces.one("qnormal", "[0, 1, 1]"), 1).suggest(40, 0);
    assertThat(all.exhausted()).isTrue();
    assertThat(all.items())
        .extracting(s -> (Double) s.parameters().values().get("p"))
        .contains(-2.0, -1.0, 0.0, 1.0, 2.0)
        .allMatch(x -> Math.abs(x) <= 5);
  }
}
