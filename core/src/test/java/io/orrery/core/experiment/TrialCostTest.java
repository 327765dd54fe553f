package io.orrery.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.metric.MetricValue;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialCostTest {
  private static final TrialCost TIME = new TrialCost(null, null, null);
  private static final TrialCost ENERGY = new TrialCost("energy", null, null);
  private static final Duration LASTED = Duration.ofMillis(1_250);

  @Test
  void itIsTheTimeInSecondsWhateverTheResult() {
    assertThat(TIME.of(null, LASTED)).isEqualTo(1.25);
    assertThat(TIME.of(MetricValue.parse("{\"duration\": 7}"), LASTED)).isEqualTo(1.25);
    assertThat(TIME.of(MetricValue.of(7), null)).isNaN();
    assertThat(TIME.of(null, Duration.ZERO)).isNaN();
    assertThat(TIME.of(null, Duration.ofSeconds(-1))).isNaN();
  }

  @Test
  void itIsAnEntryOfTheResult() {
    assertThat(ENERGY.of(MetricValue.parse("{\"default\": 1, \"energy\": 3}"), LASTED))
        .isEqualTo(3);
    assertThat(ENERGY.of(MetricValue.of(3), LASTED)).isNaN();
    assertThat(ENERGY.of(null, LASTED)).isNaN();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"energy\": 0}",
        "{\"energy\": -1}",
        "{\"energy\": \"Infinity\"}",
        "{\"energy\": \"NaN\"}",
        "{\"energy\": \"much\"}",
        "{\"energy\": [1]}"
      })
  void whatIsNoCostIsNotKnown(String result) {
    assertThat(ENERGY.of(MetricValue.parse(result), LASTED)).isNaN();
  }

  @Test
  void theNearerLimitSaysHowMuchIsSpent() {
    Duration hour = Duration.ofHours(1);

    assertThat(new TrialCost(null, 10L, hour).share(4, 900)).isCloseTo(0.4, within(1e-12));
    assertThat(new TrialCost(null, 100L, hour).share(4, 900)).isCloseTo(0.25, within(1e-12));
    assertThat(new TrialCost(null, null, hour).share(4, 1e9)).isEqualTo(1);
    assertThat(new TrialCost("energy", 10L, hour).share(4, 1e9)).isCloseTo(0.4, within(1e-12));
    assertThat(new TrialCost("energy", null, hour).share(4, 900)).isNaN();
    assertThat(TIME.share(4, 900)).isNaN();
  }
}
