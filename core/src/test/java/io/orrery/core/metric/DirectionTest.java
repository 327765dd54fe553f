package io.orrery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

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
}
