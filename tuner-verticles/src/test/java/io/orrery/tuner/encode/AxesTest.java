package io.orrery.tuner.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class AxesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          randint     | [1, 4]        | 3                     | true
          randint     | [1, 4]        | 3.0                   | true
          randint     | [1, 4]        | 4                     | false
          randint     | [1, 4]        | 2.5                   | false
          randint     | [1, 4]        | "2"                   | false
          uniform     | [0, 1]        | 1                     | true
          uniform     | [0, 1]        | 1.0000000000000002    | false
          uniform     | [0, 1]        | null                  | false
          quniform    | [0, 1, 0.1]   | 0.3                   | true
          quniform    | [0, 1, 0.1]   | 0.30000000000000004   | true
          quniform    | [0, 1, 0.1]   | 0.31                  | false
          quniform    | [2, 10, 5]    | 2                     | true
          quniform    | [2, 10, 5]    | 3                     | false
          quniform    | [3, 5, 4]     | 3                     | false
          loguniform  | [0.1, 10]     | 0.1                   | true
          loguniform  | [0.1, 10]     | 0.09                  | false
          qloguniform | [1, 100, 10]  | 1                     | true
          qloguniform | [1, 100, 10]  | 15                    | false
          normal      | [0, 1]        | -1000                 | true
          qnormal     | [0, 1, 0.5]   | -2.5                  | true
          qnormal     | [0, 1, 0.5]   | -2.6                  | false
          lognormal   | [0, 1]        | 0                     | false
          qlognormal  | [0, 1, 2]     | 0                     | true
          qlognormal  | [0, 1, 2]     | -2                    | false
          choice      | [1, "a", null]| 1.0                   | true
          choice      | [1, "a", null]| null                  | true
          choice      | [1, "a", null]| "1"                   | false
          choice      | [[1], {"k":2}]| {"k": 2.0}            | true
          """)
  void valuesFitOrDoNot(String type, String value, String given, boolean fits) {
    SearchSpace space = Spaces.one(type, value);
    assertThat(Axes.of(space).fits(Spaces.read("{\"p\": " + given + "}"))).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"opt": {"_name": "none"}, "layers": 2}                                        | true
          {"layers": 2, "opt": {"_name": "none"}}                                        | true
          {"opt": {"_name": "none", "lr": 0.1}, "layers": 2}                             | false
          {"opt": {"_name": "sgd", "lr": 0.1, "schedule": {"_name": "flat"}}, "layers": 2} | true
          {"opt": {"_name": "sgd", "lr": 0.1, "schedule": {"_name": "step"}}, "layers": 2} | false
          {"opt": {"_name": "adam"}, "layers": 2}                                        | false
          {"opt": "none", "layers": 2}                                                   | false
          {"opt": {"_name": "none"}}                                                     | false
          {"opt": {"_name": "none"}, "layers": 2, "more": 1}                             | false
          """)
  void branchesFitWithTheirOwnParameters(String given, boolean fits) {
    assertThat(Axes.of(Spaces.NESTED).fits(Spaces.read(given))).isEqualTo(fits);
  }

  static final Iterable<SearchSpace> SPACES = Spaces.ALL;

  @ParameterizedTest
  @FieldSource("SPACES")
  void whatIsEncodedDecodesToTheSame(SearchSpace space) {
    Axes axes = Axes.of(space);
    for (int number = 0; number < 300; number++) {
      double[] point =
          Objects.requireNonNull(axes.encode(axes.decode(axes.sample(Rng.keyed(1, number)))));
      double[] again = Objects.requireNonNull(axes.encode(axes.decode(point)));
      for (int i = 0; i < point.length; i++) {
        assertThat(again[i]).isCloseTo(point[i], within(1e-12));
      }
    }
  }

  @Test
  void axesUnderABranchThatIsNotChosenDoNotExist() {
    Axes axes = Axes.of(Spaces.NESTED);
    assertThat(axes.all())
        .extracting(Axis::name)
        .containsExactly("opt", "lr", "schedule", "every", "layers");
    assertThat(axes.point(axis -> 1)).containsExactly(1, Double.NaN, Double.NaN, Double.NaN, 1);
  }
}
