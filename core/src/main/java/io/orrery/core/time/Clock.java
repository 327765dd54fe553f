package io.orrery.core.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The time source and timer of the domain: a simulation passes in {@link VirtualClock}, the server
 * {@link SystemClock}.
 */
public interface Clock {
  /** The present instant, UTC. */
  Instant now();

  /** The present instant as milliseconds since the epoch. */
  default long millis() {
    return now().toEpochMilli();
  }

  /**
   * Runs an action once, after a delay, on the Vert.x context that asked for it (virtual time: on
   * the thread that advances the clock).
   *
   * @param delay zero or more; at least one millisecond passes on the real clock
   */
  Timer after(Duration delay, Runnable action);

  /** A pending action. */
  interface Timer {
    /** The action will not run; nothing happens when it already has. */
    void cancel();
  }
}
