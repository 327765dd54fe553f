package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.run.StepStatus;
import org.junit.jupiter.api.Test;

/** The state machine of a step. */
class StepLifeTest {
  @Test
  void whatIsOverChangesOnlyWhenAUserRetriesIt() {
    for (StepStatus from : StepStatus.values()) {
      for (StepStatus to : StepStatus.values()) {
        if (from.isOver()) {
          assertThat(StepLife.allows(from, to)).isEqualTo(to == StepStatus.BLOCKED);
        }
      }
    }
  }

  @Test
  void noProgramStartsButFromReady() {
    for (StepStatus from : StepStatus.values()) {
      assertThat(StepLife.allows(from, StepStatus.WAITING)).isEqualTo(from == StepStatus.READY);
    }
  }
}
