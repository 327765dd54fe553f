package io.orrery.compute.attempt;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A periodic task with a fixed pause between runs. It runs on the context that started it and may
 * be closed from any thread, even while it runs.
 */
public final class Ticks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticks.class);

  private final Clock clock;
  private final Duration pause;
  private final Runnable each;
  private Clock.@Nullable Timer next;
  private boolean closed;

  private Ticks(Clock clock, Duration pause, Runnable each) {
    this.clock = clock;
    this.pause = pause;
    this.each = each;
  }

  /**
   * @param pause before each time, the first one too
   * @param each must not block; it is done no more once it has met threads that take nothing
   */
  public static Ticks begin(Clock clock, Duration pause, Runnable each) {
    Ticks ticks = new Ticks(clock, pause, each);
    ticks.goOn();
    return ticks;
  }

  /** One step with closing: what is closed in between is not begun again. */
  private synchronized void goOn() {
    if (!closed) {
      next = clock.after(pause, this::tick);
    }
  }

  private void tick() {
    if (isClosed()) {
      return;
    }
    try {
      each.run();
      goOn();
    } catch (RejectedExecutionException end) {
      LOG.trace("dropping a tick: the platform is closed");
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** No tick any more; one that is under way is to the end. */
  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
