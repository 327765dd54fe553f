package io.orrery.metrics.store;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** A time that any thread may read, and that stands still until it is told to go on. */
final class TestClock implements Clock {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  void advance(Duration by) {
    now.updateAndGet(before -> before.plus(by));
  }

  @Override
  public Instant now() {
    return now.get();
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    throw new UnsupportedOperationException("the log waits for nothing");
  }
}
