package io.orrery.tuner.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowsTest {
  static Iterable<SearchSpace> spaces() {
    return Spaces.ALL;
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void drawsOfTheSpaceFillEachColumnEvenly(SearchSpace space) {
    Axes axes = Axes.of(space);
    Rows rows = new Rows(axes);
    int[] options = rows.options();
    double[] sums = new double[options.length];
    int[] counts = new int[options.length];
    for (int i = 0; i < 3_000; i++) {
      double[] point = axes.sample(Rng.keyed(3, i));
      double[] row = rows.of(point);
      for (int column = 0; column < options.length; column++) {
        assertThat(Double.isNaN(row[column])).isEqualTo(Double.isNaN(point[column]));
        if (!Double.isNaN(row[column])) {
          sums[column] += row[column];
          counts[column]++;
        }
      }
    }
    for (Axis axis : axes.all()) {
      int column = axis.index();
      double middle = options[column] > 0 ? (options[column] - 1) / 2.0 : 0.5;
      assertThat(sums[column] / counts[column])
          .as(axis.path())
          .isCloseTo(middle, within(0.06 * Math.max(1, options[column])));
    }
  }
}
