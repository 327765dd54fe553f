package io.orrery.compute.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TicksTest {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private int done;

  @Test
  void somethingIsDoneAfterEachPauseUntilTheEnd() {
    Ticks ticks = Ticks.begin(clock, PAUSE, () -> done++);
    assertThat(done).isZero();

    clock.advance(PAUSE.multipliedBy(3));
    assertThat(done).isEqualTo(3);

    ticks.close();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void whatIsClosedWhileItIsDoneIsNotBegunAgain() {
    Ticks[] ticks = new Ticks[1];
    ticks[0] =
        Ticks.begin(
            clock,
            PAUSE,
            () -> {
              done++;
              ticks[0].close();
            });

    clock.advance(PAUSE.multipliedBy(3));

    assertThat(done).isOne();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void threadsThatTakeNothingAreTheEnd() {
    Ticks ticks =
        Ticks.begin(
            clock,
            PAUSE,
            () -> {
              done++;
              throw new RejectedExecutionException();
            });

    clock.advance(PAUSE.multipliedBy(3));

    assertThat(done).isOne();
    assertThat(clock.pending()).isZero();
    ticks.close();
  }
}
