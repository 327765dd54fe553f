package io.orrery.router.proxy;

import io.netty.channel.EventLoop;
import io.orrery.router.policy.ClientTurns;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The part of each turn of an event loop that the frames of HTTP/2 may take, and the queue of the
 * connections that have not come to their end in it. A hundred requests fit into two kilobytes, so
 * a few connections could keep the loop busy for most of a second between two reads of any other;
 * in turns of a millisecond the others are read in between. Clients wait in turn (decision 0306).
 */
final class FrameTurns {
  /** How long frames may be handled before the loop looks at its other connections. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier nanos;
  private final ClientTurns<PacedFrames> waiting = new ClientTurns<>();
  private long spent;
  private boolean scheduled;

  /**
   * @param nanos the time, by any origin
   */
  FrameTurns(LongSupplier nanos) {
    this.nanos = nanos;
  }

  long now() {
    return nanos.getAsLong();
  }

  /** Whether there is time left in this turn. */
  boolean hasTime() {
    return spent < TURN_NANOS;
  }

  /** Counts what the frames of a connection have taken. */
  void spend(long took) {
    spent += took;
  }

  /** Queues a connection that has more frames than there was time for. */
  void queue(PacedFrames frames, EventLoop loop) {
    waiting.add(frames.client(), frames);
    schedule(loop);
  }

  // A scheduled task runs after the loop has looked at its connections, an executed one before.
  private void schedule(EventLoop loop) {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(() -> turn(loop), 1, TimeUnit.NANOSECONDS);
    }
  }

  private void turn(EventLoop loop) {
    scheduled = false;
    spent = 0;
    while (hasTime()) {
      PacedFrames next = waiting.poll();
      if (next == null) {
        return;
      }
      if (!next.goOn()) {
        waiting.add(next.client(), next);
      }
    }
    if (!waiting.isEmpty()) {
      schedule(loop);
    }
  }
}
