package io.orrery.compute.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpanTest {
  private static double[] draws(String text) {
    SplittableRandom random = new SplittableRandom(1);
    Span span = Span.read(text);
    return DoubleStream.generate(() -> span.draw(random)).limit(20_000).toArray();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "90, 90", "250ms, 0.25", "1.5m, 90", "2H, 7200", "1 d, 86400"})
  void aTimeIsAlwaysTheSame(String text, double seconds) {
    assertThat(draws(text)).containsOnly(seconds);
  }

  @Test
  void uniformStaysBetweenItsEnds() {
    double[] draws = draws("uniform(5m, 20m)");

    assertThat(Arrays.stream(draws).min().orElseThrow()).isBetween(300.0, 301.0);
    assertThat(Arrays.stream(draws).max().orElseThrow()).isBetween(1199.0, 1200.0);
    assertThat(Arrays.stream(draws).average().orElseThrow()).isCloseTo(750, within(5.0));
  }

  @Test
  void exponentialHasItsMean() {
    double[] draws = draws("exponential(10s)");

    assertThat(Arrays.stream(draws).average().orElseThrow()).isCloseTo(10, within(0.3));
    // Of a distribution without memory, a share of 1/e is longer than the mean.
    assertThat(Arrays.stream(draws).filter(x -> x > 10).count() / 20_000.0)
        .isCloseTo(Math.exp(-1), within(0.015));
  }

  @Test
  void lognormalHasItsMedianAndSpread() {
    double[] draws = draws("lognormal(10m, 0.5)");
    Arrays.sort(draws);

    assertThat(draws[10_000]).isCloseTo(600, within(10.0));
    assertThat(Arrays.stream(draws).filter(x -> x < 600 * Math.exp(-0.5)).count() / 20_000.0)
        .isCloseTo(0.1587, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "-5s",
        "10 parsecs",
        "uniform(5m)",
        "uniform(20m, 5m)",
        "normal(5m, 1m)",
        "lognormal(5m, -1)",
        "lognormal(5m, wide)",
        "99999999d",
        "exponential(5m",
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> Span.read(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
