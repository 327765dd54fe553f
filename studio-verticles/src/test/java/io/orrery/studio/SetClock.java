package io.orrery.studio;

import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until it is set; its timers are real ones. */
public final class SetClock implements Clock {
  private final Clock timers;
  private final AtomicLong asked = new AtomicLong();
  private volatile Instant now;

  public SetClock(Vertx vertx, Instant now) {
    this.timers = new SystemClock(vertx);
    this.now = now;
  }

  public void set(Instant to) {
    now = to;
  }

  /** How often the time was asked for. */
  public long asked() {
    return asked.get();
  }

  @Override
  public Instant now() {
    asked.incrementAndGet();
    return now;
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    return timers.after(delay, action);
  }
}
