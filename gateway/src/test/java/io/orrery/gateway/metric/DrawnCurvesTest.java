package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DrawnCurvesTest {
  private final DrawnCurves drawn = new DrawnCurves();

  private static TrialRef trial(int number) {
    return TrialRef.parse("abcd1234/t" + number);
  }

  private static Metrics.Curve curve(int points) {
    double[] values = new double[points];
    values[0] = 0.25;
    return new Metrics.Curve(2, new long[points], values, new long[points], null, 7);
  }

  @Test
  void aCurveIsDrawnWithAllOfItsNumbers() {
    JsonNode text = Json.parse(new String(drawn.text(trial(1), curve(2)), StandardCharsets.UTF_8));

    assertThat(text)
        .isEqualTo(
            Json.parse(
                """
                {"trial": "abcd1234/t1", "key": "default", "total": 7, "final": null, "points": [
                  {"attempt": 2, "sequence": 0, "value": 0.25, "time": "1970-01-01T00:00:00.000Z"},
                  {"attempt": 2, "sequence": 0, "value": 0.0, "time": "1970-01-01T00:00:00.000Z"}]}
                """));
  }

  @Test
  void theSameCurveIsDrawnOnce() {
    Metrics.Curve first = curve(3);
    byte[] text = drawn.text(trial(1), first);
    drawn.text(trial(2), curve(1));

    assertThat(drawn.text(trial(1), first)).isSameAs(text);
  }

  @Test
  void anotherOneTakesItsPlace() {
    Metrics.Curve first = curve(3);
    byte[] text = drawn.text(trial(1), first);

    byte[] other = drawn.text(trial(1), curve(4));

    assertThat(other).isNotEqualTo(text);
    assertThat(drawn.text(trial(1), first)).isEqualTo(text).isNotSameAs(text);
  }

  @Test
  void theOneThatWasNotAskedForLongestMakesRoom() {
    Metrics.Curve large = curve(20_000);
    byte[] first = drawn.text(trial(1), large);
    byte[] second = drawn.text(trial(2), large);
    for (int i = 3; i < 12; i++) {
      drawn.text(trial(i), large);
      assertThat(drawn.text(trial(2), large)).isSameAs(second);
    }

    assertThat(drawn.text(trial(1), large)).isNotSameAs(first).isEqualTo(first);
  }
}
