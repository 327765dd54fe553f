package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.math.Forest.Estimate;
import io.orrery.tuner.math.Forest.Growth;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForestTest {
  private static final Growth FULL = new Growth(1, 64, 2, 1, false, false);
  private static final Growth MANY = new Growth(30, 64, 2, 1, true, true);

  private static double[][] uniform(int rows, int columns, long seed) {
    Rng rng = Rng.keyed(seed, 0);
    double[][] all = new double[rows][columns];
    for (double[] row : all) {
      Arrays.setAll(row, column -> rng.nextDouble());
    }
    return all;
  }

  private static double[] values(double[][] rows, ToDoubleFunction<double[]> function) {
    return Arrays.stream(rows).mapToDouble(function).toArray();
  }

  @Test
  void aFullTreeKnowsEveryRowItGrewFrom() {
    double[][] rows = uniform(500, 4, 1);
    double[] values = values(rows, row -> Math.sin(9 * row[0]) + row[1] * row[2]);

    Forest forest = Forest.grow(rows, values, new int[4], FULL, Rng.keyed(1, 1));

    for (int i = 0; i < rows.length; i++) {
      assertThat(forest.estimate(rows[i]).mean()).isCloseTo(values[i], within(1e-12));
      assertThat(forest.estimate(rows[i]).variance()).isCloseTo(0, within(1e-12));
    }
  }

  @Test
  void itLearnsAFunctionBetterThanItsMean() {
    ToDoubleFunction<double[]> function = row -> Math.sin(6 * row[0]) + 2 * row[1] * row[1];
    double[][] rows = uniform(400, 5, 2);
    double[][] unseen = uniform(400, 5, 3);

    Forest forest = Forest.grow(rows, values(rows, function), new int[5], MANY, Rng.keyed(2, 2));

    double[] truth = values(unseen, function);
    double centre = Arrays.stream(truth).average().orElseThrow();
    double error = 0;
    double spread = 0;
    for (int i = 0; i < unseen.length; i++) {
      error += Math.pow(forest.estimate(unseen[i]).mean() - truth[i], 2);
      spread += Math.pow(centre - truth[i], 2);
    }
    assertThat(error).isLessThan(0.1 * spread);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 64, 65, 200})
  void optionsAreDividedAsTheirValuesFall(int options) {
    Rng rng = Rng.keyed(7, options);
    double[][] rows = new double[20 * options][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {i % options, rng.nextDouble()};
    }
    double[] values = values(rows, row -> row[0] % 3 == 1 ? 5 : 0);

    Tree tree =
        Forest.grow(rows, values, new int[] {options, 0}, FULL, Rng.keyed(3, 3)).trees().getFirst();

    assertThat(tree.size()).as("one split says all").isEqualTo(3);
    for (double[] row : rows) {
      assertThat(tree.mean(tree.leaf(row))).isCloseTo(row[0] % 3 == 1 ? 5 : 0, within(1e-12));
    }
  }

  @Test
  void whatDoesNotExistIsLookedAtOnlyBelowTheSplitThatMakesItExist() {
    Rng rng = Rng.keyed(4, 0);
    double[][] rows = new double[300][];
    for (int i = 0; i < rows.length; i++) {
      boolean first = i % 3 == 0;
      rows[i] =
          new double[] {
            first ? 0 : 1, first ? rng.nextDouble() : Double.NaN, first ? Double.NaN : 0.5
          };
    }
    double[] values = values(rows, row -> Double.isNaN(row[1]) ? 0.4 : row[1]);

    Tree tree =
        Forest.grow(rows, values, new int[] {2, 0, 0}, FULL, Rng.keyed(4, 4)).trees().getFirst();

    assertThat(tree.column(0)).isEqualTo(0);
    for (int node = 0; node < tree.size(); node++) {
      assertThat(tree.column(node)).isNotEqualTo(2);
    }
    for (int i = 0; i < rows.length; i++) {
      assertThat(tree.mean(tree.leaf(rows[i]))).isCloseTo(values[i], within(1e-12));
    }
  }

  @Test
  void itDoubtsMostWhereItHasSeenLeast() {
    double[][] rows = new double[60][];
    for (int i = 0; i < rows.length; i++) {
      double x = i < 30 ? i / 100.0 : 0.7 + (i - 30) / 100.0;
      rows[i] = new double[] {x};
    }
    double[] values = values(rows, row -> 10 * row[0]);
    Forest forest = Forest.grow(rows, values, new int[1], MANY, Rng.keyed(5, 5));

    Estimate known = forest.estimate(new double[] {0.15});
    Estimate unknown = forest.estimate(new double[] {0.5});

    assertThat(unknown.variance()).isGreaterThan(10 * known.variance());
  }

  @Test
  void theSameSeedGrowsTheSameForest() {
    double[][] rows = uniform(100, 3, 6);
    double[] values = values(rows, row -> row[0] - row[2]);
    Growth growth = new Growth(5, 8, 3, 0.7, true, true);
    Forest one = Forest.grow(rows, values, new int[3], growth, Rng.keyed(8, 1));
    Forest same = Forest.grow(rows, values, new int[3], growth, Rng.keyed(8, 1));
    Forest other = Forest.grow(rows, values, new int[3], growth, Rng.keyed(8, 2));

    for (double[] row : uniform(50, 3, 7)) {
      assertThat(one.estimate(row)).isEqualTo(same.estimate(row));
    }
    assertThat(Arrays.stream(uniform(50, 3, 7)).map(one::estimate))
        .isNotEqualTo(Arrays.stream(uniform(50, 3, 7)).map(other::estimate).toList());
  }

  @Test
  void nothingToLearnFromMakesABareLeaf() {
    double[][] rows = uniform(50, 2, 9);
    for (Forest forest :
        new Forest[] {
          Forest.grow(rows, new double[50], new int[2], MANY, Rng.keyed(9, 9)),
          Forest.grow(
              new double[50][0], values(rows, r -> r[0]), new int[0], MANY, Rng.keyed(9, 9)),
          Forest.grow(new double[50][1], values(rows, r -> r[0]), new int[1], MANY, Rng.keyed(9, 9))
        }) {
      assertThat(forest.trees()).allMatch(tree -> tree.size() == 1);
    }
  }

  @Test
  void aGrowthThatCannotBeIsRefused() {
    assertThatThrownBy(() -> new Growth(0, 1, 2, 1, true, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Growth(1, 1, 2, 0, true, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
