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
    assertThat(Direction.MAXIMIZE.better(Double.POSITIVE_INFINITY, 1e308)).isTrue();
  }

  @Test
  void lessIsBetterWhenMinimizing() {
    assertThat(Direction.MINIMIZE.better(1, 2)).isTrue();
    assertThat(Direction.MINIMIZE.better(2, 1)).isFalse();
    assertThat(Direction.MINIMIZE.better(Double.NEGATIVE_INFINITY, -1e308)).isTrue();
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
