package io.orrery.orchestrator.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.PipelineRuns.AlertState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decides what becomes of an alert after an attempt. */
class AlertPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private static Duration pause(int attempts, double draw) {
    AlertPlan.Step step = AlertPlan.after(attempts, AlertOutcome.answered(503), NOW, draw);
    assertThat(step.state()).isEqualTo(AlertState.WAITING);
    return Duration.between(NOW, Objects.requireNonNull(step.nextAt()));
  }

  @Test
  void pausesGrowToAQuarterOfAnHour() {
    assertThat(pause(1, 0.5)).isEqualTo(Duration.ofSeconds(2));
    assertThat(pause(2, 0.5)).isEqualTo(Duration.ofSeconds(6));
    assertThat(pause(6, 0.5)).isEqualTo(Duration.ofSeconds(486));
    assertThat(pause(7, 0.5)).isEqualTo(Duration.ofMinutes(15));
    assertThat(pause(AlertPlan.MOST_ATTEMPTS - 1, 0.5)).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void aPauseIsSpreadByAFifthEachWay() {
    assertThat(pause(7, 0)).isEqualTo(Duration.ofMinutes(12));
    assertThat(pause(7, 1)).isEqualTo(Duration.ofMinutes(18));
  }

  @ParameterizedTest
  @CsvSource({
    "200, 1, DELIVERED",
    "204, 20, DELIVERED",
    "302, 1, WAITING",
    "401, 1, WAITING",
    "404, 19, WAITING",
    "404, 20, GIVEN_UP",
    "410, 1, GIVEN_UP",
    "500, 20, GIVEN_UP"
  })
  void onlyAnAnswerOf2xxTakesIt(int status, int attempts, AlertState state) {
    AlertPlan.Step step = AlertPlan.after(attempts, AlertOutcome.answered(status), NOW, 0.3);

    assertThat(step.state()).isEqualTo(state);
    assertThat(step.nextAt() == null).isEqualTo(state != AlertState.WAITING);
  }
}
