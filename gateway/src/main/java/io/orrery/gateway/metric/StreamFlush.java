package io.orrery.gateway.metric;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Flushes the points of all streams together: at once when none did so lately, and else 25 times a
 * second, or ten when no client waits for an answer. Thousands of trials that each report now and
 * then would otherwise keep the disk syncing for two or three points at a time, which costs more
 * than the points do. HTTP requests are not delayed: their senders wait for the answer, as no
 * training waits for an acknowledgement here. Belongs to one event loop.
 */
final class StreamFlush {
  private static final Duration PAUSE = Duration.ofMillis(40);

  /** How much longer the pause may be when no client waits. */
  private static final Duration LEISURE = Duration.ofMillis(60);

  private enum State {
    /** The next who joins begins a round. */
    FREE,
    /** There was one just now. */
    PAUSED,
    /** It was a while ago: who cannot wait begins the next. */
    AT_LEISURE
  }

  private final Clock clock;
  private final Consumer<Runnable> together;
  private List<Runnable> waiting = new ArrayList<>();
  private State state = State.FREE;

  /** Whether one of those who wait cannot do so for long. */
  private boolean urgent;

  private boolean gathering;

  /** Ends the pause. */
  private Clock.@Nullable Timer end;

  /**
   * @param together runs what it is given so that all of it goes to the store as one
   */
  StreamFlush(Clock clock, Consumer<Runnable> together) {
    this.clock = clock;
    this.together = together;
  }

  /**
   * Runs something in the next round, which may be now.
   *
   * @param hasTime whether a tenth of a second is nothing to whom it is for
   */
  void join(Runnable turn, boolean hasTime) {
    waiting.add(turn);
    urgent |= !hasTime;
    if (!gathering) {
      begin();
    }
  }

  /** Runs something in which many join, so that they go in the same round. */
  void gather(Runnable joining) {
    gathering = true;
    try {
      joining.run();
    } finally {
      gathering = false;
    }
    if (!waiting.isEmpty()) {
      begin();
    }
  }

  private void begin() {
    switch (state) {
      case FREE -> round();
      case PAUSED -> {}
      case AT_LEISURE -> {
        if (urgent) {
          round();
        }
      }
    }
  }

  private void round() {
    pause(State.PAUSED, PAUSE, this::paused);
    urgent = false;
    List<Runnable> turns = waiting;
    waiting = new ArrayList<>();
    together.accept(() -> turns.forEach(Runnable::run));
  }

  private void pause(State next, Duration time, Runnable then) {
    if (end != null) {
      end.cancel();
    }
    state = next;
    end = clock.after(time, then);
  }

  private void paused() {
    if (urgent) {
      round();
    } else {
      pause(State.AT_LEISURE, LEISURE, this::rested);
    }
  }

  private void rested() {
    if (waiting.isEmpty()) {
      state = State.FREE;
    } else {
      round();
    }
  }
}
