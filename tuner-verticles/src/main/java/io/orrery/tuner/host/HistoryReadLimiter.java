package io.orrery.tuner.host;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * A limit on how many histories are read at a time. When a server starts, every experiment has one
 * to read, of the same tables that people look at: so a few read at a time, and the others wait.
 * Who has least left goes first: most experiments have their tuners back long before the last one,
 * and few pasts are in memory half read. A seat is for one piece, so an algorithm that is slow to
 * take it in keeps no other out.
 *
 * <p>All methods run on one event loop.
 */
final class HistoryReadLimiter {
  /** Fewer than the store has readers, so that there is one for a user who looks at a list. */
  private static final int SEATS = 2;

  private record Visit(long left, long turn, Runnable reading) {}

  private final PriorityQueue<Visit> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Visit::left).thenComparingLong(Visit::turn));

  private long turns;
  private int taken;

  /**
   * Reads a piece when there is a seat.
   *
   * @param left how much is left to read, this piece included
   */
  <A> Future<A> read(long left, Supplier<Future<A>> piece) {
    Promise<A> read = Promise.promise();
    waiting.add(
        new Visit(
            left,
            turns++,
            () ->
                Future.<Void>succeededFuture()
                    .compose(seated -> piece.get())
                    .onComplete(done -> {
                      taken--;
                      letIn();
                      read.handle(done);
                    })));
    letIn();
    return read.future();
  }

  private void letIn() {
    while (taken < SEATS && !waiting.isEmpty()) {
      taken++;
      waiting.remove().reading().run();
    }
  }
}
