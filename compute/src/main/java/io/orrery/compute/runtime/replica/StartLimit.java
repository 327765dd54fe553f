package io.orrery.compute.runtime.replica;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A limit of the replicas that start at the same time, in the order in which they asked. Thread
 * safe.
 */
final class StartLimit {
  private final int most;
  private final Set<Runnable> starting = new HashSet<>();
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  StartLimit(int most) {
    this.most = most;
  }

  /**
   * Asks for a turn.
   *
   * @param turn names the asker; it is run when its turn comes later
   * @return whether it may start now
   */
  boolean ask(Runnable turn) {
    Runnable next;
    synchronized (this) {
      if (starting.contains(turn)) {
        return true;
      }
      if (starting.size() >= most || !(waiting.isEmpty() || turn.equals(first()))) {
        waiting.add(turn);
        return false;
      }
      waiting.remove(turn);
      starting.add(turn);
      // Two turns that were given back before it asked have told this one alone.
      next = starting.size() < most ? first() : null;
    }
    if (next != null) {
      next.run();
    }
    return true;
  }

  private @Nullable Runnable first() {
    Iterator<Runnable> all = waiting.iterator();
    return all.hasNext() ? all.next() : null;
  }

  /** Gives a turn back, or asks for none any more. */
  void leave(Runnable turn) {
    Runnable next;
    synchronized (this) {
      boolean wasWaiting = waiting.remove(turn);
      boolean wasStarting = starting.remove(turn);
      next = wasWaiting || wasStarting ? first() : null;
    }
    if (next != null) {
      next.run();
    }
  }
}
