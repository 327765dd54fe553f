package io.orrery.tuner.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RankingTest {
  static final Iterable<SearchSpace> FINITE =
      List.of(
          Spaces.FINITE,
          Spaces.FINITE_NESTED,
          Spaces.one("qnormal", "[1, 2, 3]"),
          Spaces.one("qlognormal", "[0, 0.4, 0.5]"),
          SearchSpace.EMPTY);

  @ParameterizedTest
  @FieldSource("FINITE")
  void everyNumberIsADifferentPointAndBack(SearchSpace space) {
    Axes axes = Axes.of(space);
    Ranking ranking = Ranking.of(axes).orElseThrow();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < ranking.size().intValueExact(); i++) {
      double[] point = ranking.point(BigInteger.valueOf(i));
      assertThat(ranking.rank(point)).isEqualTo(BigInteger.valueOf(i));
      assertThat(seen.add(axes.decode(point).canonical())).isTrue();
      assertThat(axes.fits(axes.decode(point))).isTrue();
    }
  }

  @ParameterizedTest
  @FieldSource("FINITE")
  void everyDrawHasANumber(SearchSpace space) {
    Axes axes = Axes.of(space);
    Ranking ranking = Ranking.of(axes).orElseThrow();
    for (int number = 0; number < 500; number++) {
      double[] draw = axes.sample(Rng.keyed(3, number));
      BigInteger rank = Objects.requireNonNull(ranking.rank(draw));
      assertThat(rank).isLessThan(ranking.size());
      assertThat(axes.decode(ranking.point(rank)).canonical())
          .isEqualTo(axes.decode(draw).canonical());
    }
  }

  @Test
  void branchesAddAndParametersMultiply() {
    assertThat(Ranking.of(Axes.of(Spaces.FINITE_NESTED)).orElseThrow().size())
        .isEqualTo((5 * (3 + 1) + 1) * 6);
  }

  @Test
  void sizesBeyondALongAreExact() {
    SearchSpace space =
        Spaces.of(
            """
            {"a": {"_type": "randint", "_value": [0, 4503599627370496]},
             "b": {"_type": "randint", "_value": [0, 4503599627370496]}}
            """);
    assertThat(Ranking.of(Axes.of(space)).orElseThrow().size()).isEqualTo(BigInteger.TWO.pow(104));
  }

  @Test
  void aContinuousParameterAnywhereMakesASpaceUncountable() {
    assertThat(Ranking.of(Axes.of(Spaces.NESTED))).isEmpty();
    // Only in the store of an earlier version.
    SearchSpace fine =
        SearchSpace.of(
            Json.parse("{\"p\": {\"_type\": \"quniform\", \"_value\": [1e20, 2e20, 1]}}"));
    assertThat(Ranking.of(Axes.of(fine))).isEmpty();
  }
}
