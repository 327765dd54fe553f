package io.orrery.tuner.host;

import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A clock whose time passes when a test says so; what falls due runs on the event loop that asked
 * for it.
 */
final class SteppedClock implements Clock {
  private record Due(Instant at, Context context, Runnable action) {}

  private final PriorityQueue<Due> pending = new PriorityQueue<>(Comparator.comparing(Due::at));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized Timer after(Duration delay, Runnable action) {
    Due due = new Due(now.plus(delay), Vertx.currentContext(), action);
    pending.add(due);
    return () -> {
      synchronized (this) {
        pending.remove(due);
      }
    };
  }

  /** How many things wait for just so long. */
  synchronized long dueIn(Duration delay) {
    return pending.stream().filter(due -> due.at().equals(now.plus(delay))).count();
  }

  /** Lets time pass; returns when everything that fell due has run. */
  void advance(Duration by) throws TimeoutException {
    Instant end = now().plus(by);
    for (Due due = next(end); due != null; due = next(end)) {
      Promise<Void> ran = Promise.promise();
      Runnable action = due.action();
      due.context()
          .runOnContext(run -> {
            action.run();
            ran.complete();
          });
      ran.future().await(10, TimeUnit.SECONDS);
    }
    synchronized (this) {
      now = end;
    }
  }

  private synchronized @Nullable Due next(Instant end) {
    Due due = pending.peek();
    if (due == null || due.at().isAfter(end)) {
      return null;
    }
    now = due.at();
    return pending.remove();
  }
}
