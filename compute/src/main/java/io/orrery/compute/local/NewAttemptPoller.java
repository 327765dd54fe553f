package io.orrery.compute.local;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Polls attempts that have just begun, in rounds. A round polls all attempts that are due, because
 * most of the cost is waking a thread, and their changes are written together. An attempt is due
 * whenever its age has doubled. After its last round its files are watched instead; most short
 * attempts end before that.
 */
final class NewAttemptPoller implements AutoCloseable {
  private static final Duration ROUND = Duration.ofMillis(100);

  /** The first round after a rest: the user who begins one trial sees it run soon. */
  private static final Duration FIRST = Duration.ofMillis(20);

  /** A power of two, so that the attempt is polled in its last round, when the watch begins. */
  private static final int LAST = 8;

  private final Clock clock;
  private final Set<Beginner> beginners = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private Clock.@Nullable Timer next;
  private boolean closed;

  NewAttemptPoller(Clock clock) {
    this.clock = clock;
  }

  /** An attempt in its first rounds. */
  final class Beginner implements AutoCloseable {
    private final Runnable nudge;
    private int rounds;
    private volatile boolean grown;

    private Beginner(Runnable nudge) {
      this.nudge = nudge;
    }

    /** Whether it has had its last round. */
    boolean isGrown() {
      return grown;
    }

    private void grow() {
      rounds++;
      grown = rounds >= LAST;
      if (Integer.bitCount(rounds) == 1) {
        nudge.run();
      }
    }

    /** Ends the polling of the attempt. */
    @Override
    public void close() {
      beginners.remove(this);
    }
  }

  /** Has an attempt nudged from its next round on. */
  Beginner on(Runnable nudge) {
    Beginner beginner = new Beginner(nudge);
    beginners.add(beginner);
    goOn(FIRST);
    return beginner;
  }

  private void goOn(Duration pause) {
    lock.lock();
    try {
      if (next == null && !closed && !beginners.isEmpty()) {
        next = clock.after(pause, this::round);
      }
    } finally {
      lock.unlock();
    }
  }

  private void round() {
    for (Beginner beginner : beginners) {
      beginner.grow();
      if (beginner.isGrown()) {
        beginner.close();
      }
    }
    lock.lock();
    try {
      next = null;
    } finally {
      lock.unlock();
    }
    goOn(ROUND);
  }

  /** Ends all rounds. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (next != null) {
        next.cancel();
      }
    } finally {
      lock.unlock();
    }
  }
}
