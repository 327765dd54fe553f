package io.orrery.metrics.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
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
