package io.orrery.studio.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.studio.rollout.RolloutPolicy.LatencyGate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Says what each step of a rollout asks for. */
class GateWordsTest {
  private static RolloutPolicy every(Duration time) {
    return new RolloutPolicy(List.of(100), time, null, null, null, 0, Duration.ZERO);
  }

  @Test
  void everyGateHasItsWords() {
    RolloutPolicy policy =
        new RolloutPolicy(
            List.of(5, 100),
            Duration.ofMinutes(2),
            0.015,
            new LatencyGate(250, false),
            new LatencyGate(1.2, true),
            20,
            Duration.ZERO);

    assertThat(GateWords.of(policy))
        .containsExactly(
            "at least 2 min",
            "20 answers",
            "errors < 1.5 %",
            "p50 < 250 ms",
            "p99 < 1.2 × that of before");
    assertThat(GateWords.of(RolloutPolicy.AT_ONCE)).isEmpty();
  }

  @Test
  void timesAreShort() {
    assertThat(GateWords.of(every(Duration.ofSeconds(90)))).containsExactly("at least 90 s");
    assertThat(GateWords.of(every(Duration.ofHours(1)))).containsExactly("at least 1 h");
    assertThat(GateWords.of(every(Duration.ofMillis(1_500)))).containsExactly("at least 1.5 s");
  }
}
