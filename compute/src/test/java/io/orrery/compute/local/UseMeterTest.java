package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.process.ProgramUse;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UseMeterTest {
  private static UseMeter meter(String experiment) {
    return new UseMeter(
        new AttemptRef(new TrialRef(new ExperimentId(experiment), new TrialId("t0")), 1));
  }

  @Test
  void whatWasSeenStaysWhenTheProgramIsGone() {
    UseMeter meter = meter("run-r1");
    assertThat(meter.use()).isNull();

    meter.look(ProcessHandle.current().pid());
    ProgramUse seen = Objects.requireNonNull(meter.use());
    meter.look(Integer.MAX_VALUE);

    assertThat(seen.memory()).isGreaterThan(10 << 20);
    assertThat(seen.cpu()).isGreaterThan(Duration.ZERO);
    assertThat(meter.use()).isEqualTo(seen);
  }

  @Test
  void trialsAreNotMeasured() {
    UseMeter meter = meter("e1");

    meter.look(ProcessHandle.current().pid());

    assertThat(meter.use()).isNull();
  }
}
