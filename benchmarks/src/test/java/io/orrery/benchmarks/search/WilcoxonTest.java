package io.orrery.benchmarks.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WilcoxonTest {
  @Test
  void equalPairsSayNothing() {
    assertThat(Wilcoxon.chanceThatNotGreater(new double[] {0, 0, 0})).isEqualTo(1);
  }

  /** Ranks 1 to 10 with 8 and 9 positive alone: the sum of 17, mean 27.5, variance 96.25. */
  @Test
  void theSumOfPositiveRanksIsCompared() {
    double[] differences = {-1, -2, -3, -4, -5, -6, -7, 8, 9, -10};
    assertThat(Wilcoxon.chanceThatNotGreater(differences)).isCloseTo(0.8689, within(1e-3));
  }

  @Test
  void allPositiveIsSignificantAndAllNegativeIsNot() {
    double[] up = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assertThat(Wilcoxon.chanceThatNotGreater(up)).isLessThan(0.01);
    double[] down = {-1, -2, -3, -4, -5, -6, -7, -8, -9, -10};
    assertThat(Wilcoxon.chanceThatNotGreater(down)).isGreaterThan(0.99);
  }

  @Test
  void tiedSizesShareTheirMeanRank() {
    // Four of size 1 (mean rank 2.5), one of 2: positive 2.5 + 5, mean 7.5.
    assertThat(Wilcoxon.chanceThatNotGreater(new double[] {1, -1, -1, -1, 2}))
        .isCloseTo(0.5, within(0.1));
  }
}
