package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0.5",
    "1, 0.8413447460685429",
    "-1, 0.15865525393145705",
    "1.959963984540054, 0.975",
    "-3, 0.0013498980316300946",
    "-6, 9.865876450376981e-10",
    "-10, 7.61985302416052e-24",
    "-20, 2.7536241186062337e-89",
  })
  void theDistributionFunctionIsPreciseInTheTails(double x, double p) {
    assertThat(Gaussian.cdf(x)).isCloseTo(p, Percentage.withPercentage(1e-11));
  }

  @Test
  void theQuantileFunctionIsItsInverse() {
    for (double x = -30; x <= 5; x += 0.01) {
      assertThat(Gaussian.quantile(Gaussian.cdf(x))).isCloseTo(x, within(2e-9));
    }
    for (double x = -30; x <= 0; x += 0.01) {
      assertThat(Gaussian.quantile(Gaussian.cdf(x))).isCloseTo(x, within(1e-12));
    }
  }

  @Test
  void theEndsAreInfinite() {
    assertThat(Gaussian.quantile(0)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(Gaussian.quantile(1)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(Gaussian.cdf(-40)).isZero();
    assertThat(Gaussian.cdf(40)).isEqualTo(1);
  }
}
