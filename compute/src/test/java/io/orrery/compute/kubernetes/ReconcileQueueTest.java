package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.time.Clock;
import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReconcileQueueTest {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private Runnable beforeNext = () -> {};

  /** The one moment at which a tick can be stopped: it is on, and the next is about to be asked. */
  private final Clock interrupted =
      new Clock() {
        @Override
        public Instant now() {
          return clock.now();
        }

        @Override
        public Timer after(Duration delay, Runnable action) {
          beforeNext.run();
          return clock.after(delay, action);
        }
      };

  @Test
  void aQueueThatIsClosedDuringATickTicksNoMore() {
    ReconcileQueue looks = new ReconcileQueue(interrupted, PAUSE, Runnable::run);
    beforeNext = looks::close;

    clock.advance(PAUSE.multipliedBy(5));

    assertThat(clock.pending()).as("none is followed, and nothing ticks").isZero();
  }

  @Test
  void aQueueThatIsClosedBetweenTicksTicksNoMore() {
    ReconcileQueue looks = new ReconcileQueue(interrupted, PAUSE, Runnable::run);
    clock.advance(PAUSE.multipliedBy(5));
    assertThat(clock.pending()).isOne();

    looks.close();

    assertThat(clock.pending()).isZero();
  }
}
