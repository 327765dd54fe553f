package io.orrery.compute.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Gpus.GpuHolder;
import io.orrery.core.bus.contract.Gpus.GpuState;
import io.orrery.core.bus.contract.Gpus.GpuUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GpuStatesTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00Z");
  private static final List<GpuHolder> SEARCH = List.of(new GpuHolder("experiment", "abcd1234"));

  private final GpuStates states = new GpuStates(Duration.ofMinutes(10));

  private GpuUse at(int minute, @Nullable Integer percent, long memory, List<GpuHolder> holders) {
    return states
        .note(
            THEN.plus(Duration.ofMinutes(minute)),
            List.of(new GpuReading(0, "X", percent, memory)),
            Map.of(0, holders))
        .getFirst();
  }

  @Test
  void whatIsHeldAndNotUsedIsIdleAfterAWhile() {
    assertThat(at(0, 0, 9_000, SEARCH).state()).isEqualTo(GpuState.BUSY);
    assertThat(at(9, 1, 9_000, SEARCH).state()).isEqualTo(GpuState.BUSY);
    GpuUse idle = at(10, 0, 9_000, SEARCH);
    assertThat(idle.state()).isEqualTo(GpuState.IDLE);
    assertThat(idle.since()).isEqualTo(THEN);
    assertThat(idle.holders()).isEqualTo(SEARCH);

    assertThat(at(11, 60, 9_000, SEARCH).since()).isNull();
    assertThat(at(12, 0, 9_000, SEARCH).state()).isEqualTo(GpuState.BUSY);
    assertThat(at(22, 0, 9_000, SEARCH).state()).isEqualTo(GpuState.IDLE);
  }

  @Test
  void whatNothingHoldsIsFreeAtOnceAndTheNextHolderHasItsTime() {
    assertThat(at(0, 0, 3, List.of()).state()).isEqualTo(GpuState.FREE);
    assertThat(at(60, 0, 3, List.of()).since()).isEqualTo(THEN);
    assertThat(at(61, 0, 3, SEARCH).state()).isEqualTo(GpuState.BUSY);
    assertThat(at(70, 0, 3, SEARCH).state()).isEqualTo(GpuState.BUSY);
    assertThat(at(71, 0, 3, SEARCH).state()).isEqualTo(GpuState.IDLE);
  }

  @Test
  void memoryOfAnotherProgramHoldsAGpuAndWhatIsNotKnownIsNotCalledIdle() {
    at(0, 0, 9_000, List.of());
    assertThat(at(10, 0, 9_000, List.of()).state()).isEqualTo(GpuState.IDLE);
    assertThat(at(30, null, 9_000, SEARCH).state()).isEqualTo(GpuState.BUSY);
  }
}
