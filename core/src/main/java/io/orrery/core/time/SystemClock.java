package io.orrery.core.time;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;

/** The machine's time and Vert.x's timers. */
public final class SystemClock implements Clock {
  private final Vertx vertx;

  public SystemClock(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> action.run());
    return () -> vertx.cancelTimer(id);
  }
}
