package io.orrery.studio;

import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands until it is set; its timers are real ones. */
public final class SetClock implements Clock {
  private final Clock timers;
  private volatile Instant now;

  public SetClock(Vertx vertx, Instant now) {
    this.timers = new SystemClock(vertx);
    this.now = now;
  }

  public void set(Instant to) {
    now = to;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    return timers.after(delay, action);
  }
}
