package io.orrery.gateway.metric;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The moments at which streams hand on what has come, all of them together: at once when nobody did
 * so lately, and else 25 times a second. Thousands of trials that each report now and then would
 * otherwise keep the disk syncing for two or three points at a time, which costs more than the
 * points do. Nobody's training waits for an acknowledgement here, as a request waits for its
 * answer; so this is not for requests. Belongs to one event loop.
 */
final class Rounds {
  private static final Duration PAUSE = Duration.ofMillis(40);

  private final Clock clock;
  private final Consumer<Runnable> together;
  private List<Runnable> waiting = new ArrayList<>();
  private boolean pausing;

  /**
   * @param together runs what it is given so that all of it goes to the store as one
   */
  Rounds(Clock clock, Consumer<Runnable> together) {
    this.clock = clock;
    this.together = together;
  }

  /** Runs something in the next round, which may be now. */
  void join(Runnable turn) {
    waiting.add(turn);
    if (!pausing) {
      round();
    }
  }

  private void round() {
    pausing = true;
    clock.after(PAUSE, this::paused);
    List<Runnable> turns = waiting;
    waiting = new ArrayList<>();
    together.accept(() -> turns.forEach(Runnable::run));
  }

  private void paused() {
    pausing = false;
    if (!waiting.isEmpty()) {
      round();
    }
  }
}
