package io.orrery.core.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock whose time passes when it is told to. Actions due at the same instant run in the order in
 * which they were asked for, so a run replays exactly. Not thread safe: one thread owns the
 * simulation.
 */
public final class VirtualClock implements Clock {
  private record Due(Instant at, long order, Runnable action) {}

  private final PriorityQueue<Due> pending =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now;
  private long asked;

  public VirtualClock(Instant start) {
    this.now = start;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    Due due = new Due(now.plus(delay), asked++, action);
    pending.add(due);
    return () -> pending.remove(due);
  }

  /** Lets time pass; every action that falls due runs at its own instant, later ones included. */
  public void advance(Duration by) {
    Instant end = now.plus(by);
    for (Due due = pending.peek(); due != null && !due.at().isAfter(end); due = pending.peek()) {
      pending.remove();
      now = due.at();
      due.action().run();
    }
    now = end;
  }

  /**
   * Goes to the next action that waits, however far that is, and runs it.
   *
   * @return false when none waits; no time has passed then
   */
  public boolean step() {
    Due due = pending.poll();
    if (due == null) {
      return false;
    }
    now = due.at();
    due.action().run();
    return true;
  }

  /** How many actions wait. */
  public int pending() {
    return pending.size();
  }
}
