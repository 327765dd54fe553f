package io.orrery.compute.runtime.replica;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of the next step of a replica. What is far off is found by a tick that all replicas
 * share; what comes before the next one has a timer of its own.
 */
final class StepTimer {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Clock clock;
  private final long tickMillis;
  private final Runnable nudge;
  private volatile long next = Long.MAX_VALUE;
  private long set;

  /**
   * @param tick how often {@link #tick} is called
   * @param nudge has a step taken; called from any thread
   */
  StepTimer(Clock clock, Duration tick, Runnable nudge) {
    this.clock = clock;
    this.tickMillis = tick.toMillis();
    this.nudge = nudge;
  }

  /** Forgets the next step: one is being taken. */
  void clear() {
    next = Long.MAX_VALUE;
  }

  /** Has a step taken at an instant, or before. */
  void at(Instant when) {
    next = Math.min(next, when.plusNanos(NANOS_PER_MILLI - 1).toEpochMilli());
  }

  /** Sets the timer of what comes soon; after a step. */
  void set() {
    long at = next;
    long wait = at - clock.millis();
    if (wait < tickMillis && at != set) {
      set = at;
      clock.after(Duration.ofMillis(Math.max(1, wait + 1)), () -> tick(clock.millis()));
    }
  }

  /** Has a step taken when it is time; cheap, on an event loop. */
  void tick(long now) {
    if (now >= next) {
      next = Long.MAX_VALUE;
      nudge.run();
    }
  }
}
