package io.orrery.orchestrator.experiment.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PointChoiceTest {
  private static int[] choose(double[] results, int most, Direction direction) {
    return PointChoice.choose(results, PointChoice.bestSoFar(results, direction), most, direction);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void theStaircaseTheBestTheExtremesAndTheNewestAreAlwaysThere(Direction direction) {
    for (long seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      double[] results =
          random.doubles(5_000).map(x -> x < 0.1 ? Double.NaN : Math.rint(x * 1e6)).toArray();
      double[] best = PointChoice.bestSoFar(results, direction);

      int[] chosen = choose(results, 300, direction);

      assertThat(chosen).hasSize(300).isSorted().doesNotHaveDuplicates();
      for (int i = 1; i < results.length; i++) {
        if (best[i] != best[i - 1] && !Double.isNaN(best[i])) {
          assertThat(chosen).contains(i);
        }
      }
      assertThat(chosen).contains(IntStream.range(4_970, 5_000).toArray());
      double[] usable = Arrays.stream(results).filter(Double::isFinite).sorted().toArray();
      double[] kept = Arrays.stream(chosen).mapToDouble(i -> results[i]).toArray();
      assertThat(kept).contains(usable[0], usable[usable.length - 1]);
      double thirtiethBest =
          direction == Direction.MAXIMIZE ? usable[usable.length - 30] : usable[29];
      long better =
          Arrays.stream(kept)
              .filter(x -> x == thirtiethBest || direction.better(x, thirtiethBest))
              .count();
      assertThat(better).isGreaterThanOrEqualTo(30);
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void theOthersAreSpreadEvenly(Direction direction) {
    double[] results = new Random(7).doubles(10_000).toArray();

    int[] chosen = choose(results, 1_000, direction);

    for (int from = 0; from < 9_000; from += 1_000) {
      int start = from;
      assertThat(Arrays.stream(chosen).filter(i -> i >= start && i < start + 1_000).count())
          .isBetween(60L, 200L);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 10000", "11, 10000", "10, 11", "2000, 100000"})
  void aStaircaseThatIsTooLongIsThinnedOutButKeepsItsLastStep(int most, int length) {
    double[] rising = IntStream.range(0, length).asDoubleStream().toArray();

    int[] chosen = choose(rising, most, Direction.MAXIMIZE);

    assertThat(chosen).hasSize(most).contains(length - 1).contains(0);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "10"})
  void fewAreAllKept(int length) {
    double[] results = new double[length];
    Arrays.fill(results, Double.NaN);

    assertThat(choose(results, 10, Direction.MINIMIZE)).hasSize(length);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void withoutAnyResultTheyAreSpreadEvenly(Direction direction) {
    double[] results = new double[1_000];
    Arrays.fill(results, Double.NaN);

    assertThat(choose(results, 100, direction)).hasSize(100);
  }
}
