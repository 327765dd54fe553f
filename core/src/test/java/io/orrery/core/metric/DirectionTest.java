package io.orrery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DirectionTest {
  @Test
  void moreIsBetterWhenMaximizing() {
    assertThat(Direction.MAXIMIZE.better(2, 1)).isTrue();
    assertThat(Direction.MAXIMIZE.better(1, 2)).isFalse();
  }

  @Test
  void lessIsBetterWhenMinimizing() {
    assertThat(Direction.MINIMIZE.better(1, 2)).isTrue();
    assertThat(Direction.MINIMIZE.better(2, 1)).isFalse();
  }

  @Test
  void equalIsNotBetterAndNanNeverIs() {
    for (Direction direction : Direction.values()) {
      assertThat(direction.better(1, 1)).isFalse();
      assertThat(direction.better(Double.NaN, 1)).isFalse();
      assertThat(direction.better(Double.NaN, Double.NaN)).isFalse();
      assertThat(direction.better(1, Double.NaN)).isTrue();
    }
  }

  /** C2: one rule for what is not finite. */
  @Test
  void nanAndBadInfinityAreWorseThanAnythingAndGoodInfinityIsNoMeasure() {
    for (Direction direction : Direction.values()) {
      double bad =
          direction == Direction.MINIMIZE ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      double worst = direction == Direction.MINIMIZE ? Double.MAX_VALUE : -Double.MAX_VALUE;

      assertThat(direction.loss(Double.NaN)).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(direction.loss(bad)).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(direction.loss(-bad)).isNaN();
      assertThat(direction.measure(Double.NaN)).isEqualTo(bad);
      assertThat(direction.measure(-bad)).isNaN();
      assertThat(direction.measure(0.5)).isEqualTo(0.5);
      assertThat(direction.better(worst, Double.NaN)).isTrue();
      assertThat(direction.better(worst, bad)).isTrue();
      assertThat(direction.better(bad, Double.NaN)).isFalse();
      assertThat(direction.better(-bad, worst)).isFalse();
      assertThat(direction.better(worst, -bad)).isTrue();
      assertThat(direction.better(-bad, -bad)).isFalse();
    }
  }

  @Test
  void theBestOfSomeIsTheFirstOfEqualsAndANumberIfThereIsOne() {
    MetricValue first = new MetricValue(2, "{\"default\":2}");
    List<MetricValue> results =
        List.of(MetricValue.of(Double.NaN), first, MetricValue.of(2), MetricValue.of(1));

    assertThat(Direction.MAXIMIZE.best(results.stream())).containsSame(first);
    assertThat(Direction.MINIMIZE.best(results.stream())).contains(MetricValue.of(1));
    assertThat(Direction.MINIMIZE.best(Stream.of(MetricValue.of(Double.NaN))))
        .contains(MetricValue.of(Double.NaN));
    assertThat(Direction.MINIMIZE.best(Stream.empty())).isEmpty();
  }
}
