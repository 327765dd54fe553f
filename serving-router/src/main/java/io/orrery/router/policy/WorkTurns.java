package io.orrery.router.policy;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of each turn of an event loop that frames of HTTP/2, and connections to endpoints, may
 * take, and the queue of what has not come to its end in it. A hundred requests fit into two
 * kilobytes, and each may take a connection to an endpoint, so a few clients could keep the loop
 * busy for most of a second between two reads of any other; in turns of a millisecond the others
 * are read in between. Clients wait in turn (decisions 0306 and 0309).
 */
public final class WorkTurns {
  /** How long such work may take before the loop looks at its other connections. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The most that work may have taken outside the turns for which they pause. */
  private static final long MOST_OWED = 8 * TURN_NANOS;

  private final LongSupplier nanos;
  private final ClientTurns<Work> waiting = new ClientTurns<>();
  private long spent;
  private int depth;
  private long began;
  private long owed;
  private boolean scheduled;

  /** A piece of work of a client. */
  public interface Work extends ClientTurns.Waiter {
    /** The network by which clients are told apart. */
    String client();

    /**
     * Does some of it, a millisecond at most where it can.
     *
     * @return whether it has come to its end
     */
    boolean goOn();

    /** Never happens: the queue has no more than connections and requests, which have limits. */
    @Override
    default void crowdedOut() {
      throw new IllegalStateException("the queue of work has no limit");
    }
  }

  /**
   * @param nanos the time, by any origin
   */
  public WorkTurns(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public long now() {
    return nanos.getAsLong();
  }

  /** Whether there is time left in this turn, and nothing that has come before waits for it. */
  public boolean hasTime() {
    return waiting.isEmpty() && isTimeLeft();
  }

  private boolean isTimeLeft() {
    long running = depth == 0 ? 0 : now() - began;
    return spent + running < TURN_NANOS && owed < TURN_NANOS;
  }

  /** Does work that has its time in this turn. Work within other work is counted once. */
  public void spend(Runnable work) {
    begin();
    try {
      work.run();
    } finally {
      spent += end();
    }
  }

  /** Does what follows from earlier work, which comes when it does: the next turns are for it. */
  public void follow(Runnable consequence) {
    begin();
    try {
      consequence.run();
    } finally {
      owed = Math.min(owed + end(), MOST_OWED);
    }
  }

  private void begin() {
    if (depth++ == 0) {
      began = now();
    }
  }

  /** The time that work took; none where it was part of other work. */
  private long end() {
    return --depth == 0 ? now() - began : 0;
  }

  /** Does work now if there is time for it, or queues it. */
  public void run(Work work, EventExecutor loop) {
    if (!hasTime() || !done(work)) {
      queue(work, loop);
    }
  }

  /** Queues work for which there was no time. */
  public void queue(Work work, EventExecutor loop) {
    waiting.add(work.client(), work);
    schedule(loop);
  }

  // A scheduled task runs after the loop has looked at its connections, an executed one before.
  private void schedule(EventExecutor loop) {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(() -> turn(loop), 1, TimeUnit.NANOSECONDS);
    }
  }

  private void turn(EventExecutor loop) {
    scheduled = false;
    spent = 0;
    if (owed >= TURN_NANOS) {
      owed -= TURN_NANOS;
      schedule(loop);
      return;
    }
    try {
      for (Work next = poll(); next != null; next = poll()) {
        if (!done(next)) {
          waiting.add(next.client(), next);
        }
      }
    } finally {
      if (!waiting.isEmpty()) {
        schedule(loop);
      }
    }
  }

  private @Nullable Work poll() {
    return isTimeLeft() ? waiting.poll() : null;
  }

  private boolean done(Work work) {
    begin();
    try {
      return work.goOn();
    } finally {
      spent += end();
    }
  }
}
