package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A timer for the next moment at which the model of an experiment has something due. A timer that
 * would ring too late is replaced. One that rings too early is left, because a replacement costs
 * more than one useless wake-up.
 */
final class WakeTimer {
  private final Clock clock;
  private final Runnable wake;
  private Clock.@Nullable Timer timer;
  private @Nullable Instant at;

  WakeTimer(Clock clock, Runnable wake) {
    this.clock = clock;
    this.wake = wake;
  }

  /**
   * Sets the timer.
   *
   * @param next null when nothing is due; a moment in the past is due at once
   */
  void set(@Nullable Instant next) {
    if (timer != null && at != null && (next == null || next.isBefore(at))) {
      timer.cancel();
      timer = null;
    }
    if (timer == null && next != null) {
      at = next;
      Duration pause = Duration.between(clock.now(), next);
      timer =
          clock.after(
              pause.isNegative() ? Duration.ZERO : pause,
              () -> {
                timer = null;
                wake.run();
              });
    }
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
