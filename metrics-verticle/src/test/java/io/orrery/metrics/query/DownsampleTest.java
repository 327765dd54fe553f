package io.orrery.metrics.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DownsampleTest {
  @Test
  void aShortSeriesIsKeptWhole() {
    assertThat(Downsample.choose(new double[9], 2, 5, 5)).containsExactly(0, 1, 2, 3, 4);
    assertThat(Downsample.choose(new double[9], 9, 0, 2)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 10, 99, 500})
  void firstLastLowestAndHighestAreKeptWithinTheBound(int most) {
    Random random = new Random(most);
    double[] values = random.doubles(1_000, -1, 1).toArray();
    values[700] = 5;
    values[701] = -5;
    int[] chosen = Downsample.choose(values, 0, values.length, most);
    assertThat(chosen).hasSizeLessThanOrEqualTo(most).startsWith(0).endsWith(999).isSorted();
    assertThat(chosen).doesNotHaveDuplicates();
    if (most >= 4) {
      assertThat(chosen).contains(700, 701);
    }
  }

  @Test
  void aPartIsChosenFromAsIfItWereAll() {
    double[] values = new Random(3).doubles(1_000).toArray();
    assertThat(Downsample.choose(values, 300, 500, 40))
        .containsExactly(Downsample.choose(Arrays.copyOfRange(values, 300, 800), 0, 500, 40));
  }

  /** C: no difference of two numbers is formed, so that none can overflow. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverTheNumbersAreTheExtremesAreKept(long seed) {
    double[] some = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      1e308,
      -1e308,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      Double.MIN_VALUE,
      -0.0
    };
    Random random = new Random(seed);
    double[] values =
        random
            .doubles(2_000, -1, 1)
            .map(number -> random.nextInt(20) == 0 ? some[random.nextInt(some.length)] : number)
            .toArray();
    int most = 4 + random.nextInt(200);

    int[] chosen = Downsample.choose(values, 0, values.length, most);

    assertThat(chosen).hasSizeLessThanOrEqualTo(most).startsWith(0).endsWith(1_999).isSorted();
    assertThat(chosen).doesNotHaveDuplicates();
    assertThat(extremes(IntStream.of(chosen).mapToDouble(i -> values[i])))
        .isEqualTo(extremes(Arrays.stream(values)));
  }

  private static List<Double> extremes(DoubleStream values) {
    DoubleSummaryStatistics numbers =
        values.filter(value -> !Double.isNaN(value)).summaryStatistics();
    return List.of(numbers.getMin(), numbers.getMax());
  }

  @Test
  void aSpikeBesideNaNIsSeenAndSoIsAStretchOfNaN() {
    double[] values = new double[100];
    Arrays.fill(values, 50, 100, Double.NaN);
    values[1] = Double.NaN;
    values[20] = 3;
    int[] chosen = Downsample.choose(values, 0, 100, 10);
    assertThat(chosen).contains(20);
    assertThat(IntStream.of(chosen).filter(i -> i > 55 && i < 99)).isNotEmpty();
  }
}
