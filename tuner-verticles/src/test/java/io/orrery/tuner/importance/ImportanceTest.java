package io.orrery.tuner.importance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.tuner.math.Forest;
import io.orrery.tuner.math.Forest.Growth;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.math.Tree;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportanceTest {
  /** Uniform rows; a column with options holds one of them. */
  private static double[][] rows(int count, int[] options, Rng rng) {
    double[][] rows = new double[count][options.length];
    for (double[] row : rows) {
      Arrays.setAll(
          row, column -> options[column] > 0 ? rng.nextInt(options[column]) : rng.nextDouble());
    }
    return rows;
  }

  private static double[] importance(
      double[][] rows, int[] options, ToDoubleFunction<double[]> metric) {
    double[] values = Arrays.stream(rows).mapToDouble(metric).toArray();
    return Importance.of(rows, values, options, Rng.keyed(0, 0));
  }

  @Test
  void ofALinearMetricItIsTheSquaredSlopes() {
    int[] options = new int[4];
    double[] found =
        importance(
            rows(2_000, options, Rng.keyed(1, 1)),
            options,
            row -> 4 * row[0] - 2 * row[1] + row[2]);

    assertThat(found[0]).isCloseTo(16.0 / 21, within(0.03));
    assertThat(found[1]).isCloseTo(4.0 / 21, within(0.03));
    assertThat(found[2]).isCloseTo(1.0 / 21, within(0.02));
    assertThat(found[3]).isLessThan(0.005);
    assertThat(Arrays.stream(found).sum()).isCloseTo(1, within(1e-12));
  }

  /** C: results may reach from one end of the doubles to the other. */
  @ParameterizedTest
  @ValueSource(doubles = {1e308, 1.79e308, 1e-300, 1e-310})
  void ofHugeAndTinyResultsItIsTheSame(double unit) {
    int[] options = {0, 3, 0};
    double[][] rows = rows(300, options, Rng.keyed(4, 4));
    ToDoubleFunction<double[]> metric = row -> 1.8 * row[0] + 0.1 * row[1] - 1;

    assertThat(importance(rows, options, row -> metric.applyAsDouble(row) * unit))
        .containsExactly(importance(rows, options, metric), within(1e-3));
  }

  @Test
  void theSmallestDifferenceThatThereIsCounts() { // C
    double[][] rows = rows(100, new int[2], Rng.keyed(5, 5));
    double[] found = importance(rows, new int[2], row -> row[0] < 0.5 ? 0 : Double.MIN_VALUE);
    assertThat(found[0]).isGreaterThan(0.9);
  }

  /** The fractions of a tree against a fine grid over the space. */
  @Test
  void theMarginalsOfATreeAreExact() {
    int[] options = {0, 3, 0};
    double[][] rows = rows(60, options, Rng.keyed(2, 2));
    double[] values =
        Arrays.stream(rows).mapToDouble(r -> r[0] * (1 + r[1]) + (r[1] == 2 ? r[2] : 0)).toArray();
    // Cuts on a grid of 64 steps, so that sums over its cells are integrals.
    double[][] snapped =
        Arrays.stream(rows)
            .map(r -> new double[] {Math.rint(r[0] * 32) / 32, r[1], Math.rint(r[2] * 32) / 32})
            .toArray(double[][]::new);
    for (int seed = 0; seed < 5; seed++) {
      Tree tree =
          Forest.grow(
                  snapped,
                  values,
                  options,
                  new Growth(1, 64, 2, 1, true, false),
                  Rng.keyed(3, seed))
              .trees()
              .getFirst();
      double[] fractions = new Marginals(tree, options).fractions();
      double[] expected = byGrid(tree);
      for (int column = 0; column < 3; column++) {
        assertThat(fractions[column]).isCloseTo(expected[column], within(1e-9));
      }
    }
  }

  private static double[] byGrid(Tree tree) {
    int steps = 192;
    double[][] sums = {new double[steps], new double[3], new double[steps]};
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < steps; i++) {
      for (int option = 0; option < 3; option++) {
        for (int j = 0; j < steps; j++) {
          double value =
              tree.mean(tree.leaf(new double[] {(i + 0.5) / steps, option, (j + 0.5) / steps}));
          sums[0][i] += value / (3 * steps);
          sums[1][option] += value / (steps * steps);
          sums[2][j] += value / (3 * steps);
          mean += value / (3 * steps * steps);
          squares += value * value / (3 * steps * steps);
        }
      }
    }
    double centre = mean;
    double variance = squares - mean * mean;
    return Arrays.stream(sums)
        .mapToDouble(column ->
            Arrays.stream(column).map(m -> (m - centre) * (m - centre)).average().orElseThrow()
                / variance)
        .toArray();
  }

  @Test
  void anOptionThatDecidesIsFoundWhateverItsPlace() {
    int[] options = {5, 0};
    double[] found =
        importance(
            rows(300, options, Rng.keyed(4, 4)),
            options,
            row -> (row[0] == 3 ? 1 : 0) + 0.1 * row[1]);

    assertThat(found[0]).isGreaterThan(0.95);
  }

  @Test
  void aParameterOfABranchCountsWithTheProbabilityOfIt() {
    Rng rng = Rng.keyed(5, 5);
    double[][] rows = new double[1_000][];
    for (int i = 0; i < rows.length; i++) {
      boolean first = rng.nextBoolean();
      double inside = rng.nextDouble();
      rows[i] =
          new double[] {
            first ? 0 : 1,
            first ? inside : Double.NaN,
            first ? Double.NaN : inside,
            rng.nextDouble()
          };
    }
    // Alone, the choice explains (0.2 / 2)^2, and what exists half of the time 1 / 12 / 4.
    double[] found =
        importance(rows, new int[] {2, 0, 0, 0}, row -> Double.isNaN(row[1]) ? 0.3 : row[1]);

    double choice = 0.01;
    double inside = 1.0 / 48;
    assertThat(found[0]).isCloseTo(choice / (choice + inside), within(0.03));
    assertThat(found[1]).isCloseTo(inside / (choice + inside), within(0.03));
    assertThat(found[2]).isLessThan(0.01);
    assertThat(found[3]).isLessThan(0.01);
  }

  @Test
  void hugeMetricsDoNotOverflow() {
    int[] options = new int[2];
    double[][] rows = rows(50, options, Rng.keyed(6, 6));

    double[] found = importance(rows, options, row -> row[0] > 0.5 ? 1.7e308 : -1.7e308);

    assertThat(found[0]).isGreaterThan(0.9);
    assertThat(found[0] + found[1]).isCloseTo(1, within(1e-12));
  }

  @Test
  void withoutDifferencesNothingIsImportant() {
    int[] options = new int[2];
    double[][] rows = rows(50, options, Rng.keyed(7, 7));

    assertThat(importance(rows, options, row -> 3)).containsOnly(0);
    assertThat(importance(new double[0][], options, row -> 3)).containsOnly(0);
    assertThat(importance(new double[50][2], options, row -> row.hashCode() % 2)).containsOnly(0);
  }
}
