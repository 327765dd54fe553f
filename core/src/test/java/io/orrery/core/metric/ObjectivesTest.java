package io.orrery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectivesTest {
  private static final Objectives TWO =
      new Objectives(
          List.of(
              new Objective("accuracy", Direction.MAXIMIZE),
              new Objective("latency", Direction.MINIMIZE)));

  @Test
  void theFirstIsTheNumberOfAResult() {
    MetricValue result = MetricValue.parse("{\"latency\": 3, \"accuracy\": 0.9, \"default\": 7}");

    assertThat(result.number()).isEqualTo(7);
    assertThat(TWO.counted(result).number()).isEqualTo(0.9);
    assertThat(TWO.counted(result).document()).isEqualTo(result.document());
    assertThat(Objectives.of(Direction.MINIMIZE).counted(result)).isEqualTo(result);
    assertThat(TWO.numbers(result)).containsExactly(0.9, 3.0);
  }

  @Test
  void whatAResultDoesNotSayIsNaN() {
    assertThat(TWO.numbers(MetricValue.of(0.5))).containsExactly(0.5, Double.NaN);
    assertThat(TWO.numbers(MetricValue.parse("{\"latency\": \"slow\"}")))
        .containsExactly(Double.NaN, Double.NaN);
    assertThat(TWO.numbers(null)).containsExactly(Double.NaN, Double.NaN);
  }

  @Test
  void aResultDominatesWhenItIsBetterSomewhereAndWorseNowhere() {
    assertThat(TWO.dominates(List.of(0.9, 3.0), List.of(0.9, 4.0))).isTrue();
    assertThat(TWO.dominates(List.of(0.9, 3.0), List.of(0.9, 3.0))).isFalse();
    assertThat(TWO.dominates(List.of(0.9, 5.0), List.of(0.8, 4.0))).isFalse();
  }

  /** Homes of before there could be several objectives have the direction alone. */
  @Test
  void aStoredDirectionIsReadAsTheOneObjective() {
    assertThat(Json.read("\"minimize\"", Objectives.class))
        .isEqualTo(Objectives.of(Direction.MINIMIZE));
    assertThat(Json.read(Json.write(TWO), Objectives.class)).isEqualTo(TWO);
  }
}
