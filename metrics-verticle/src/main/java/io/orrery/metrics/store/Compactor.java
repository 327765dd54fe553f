package io.orrery.metrics.store;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves closed segments into chunks, one after the other on a thread of its own, and between two
 * moves does long work on chunks a piece at a time. A step that fails is tried again until it
 * succeeds: the log still has everything, and appends are refused when too much waits.
 *
 * <p>Moves are what ingestion waits for, so long work gives way to them: a move waits for one piece
 * of each work that is under way, and when there is none to be made, the mover rests after a piece
 * for as long as that took. The disk is the others' for half of the time at least.
 */
final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
  private static final long PAUSE_MILLIS = 1_000;

  /** The longest rest, when one piece took very long. */
  private static final long REST_NANOS = 250_000_000;

  private sealed interface Job {
    /** The chunks of a segment, and where it ends. */
    record Move(long segment, List<Chunk> chunks, long upto) implements Job {}

    record Piece(IncrementalTask work, Runnable done) implements Job {}

    /** Wakes the thread up so that it sees that it is to stop. */
    record Stop() implements Job {}
  }

  private final ChunkTable chunks;
  private final Segments segments;
  private final int keptSegments;
  private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;
  private volatile long moved;

  Compactor(ChunkTable chunks, Segments segments, int keptSegments) {
    this.chunks = chunks;
    this.segments = segments;
    this.keptSegments = keptSegments;
    this.thread = new Thread(this::run, "metrics-move");
    thread.setDaemon(true);
  }

  /** Begins to work; the log is in chunks up to an offset. */
  void start(long movedBefore) {
    moved = movedBefore;
    thread.start();
  }

  /**
   * Moves a segment.
   *
   * @param upto where it ends
   */
  void move(long segment, List<Chunk> itsChunks, long upto) {
    waiting.incrementAndGet();
    jobs.add(new Job.Move(segment, itsChunks, upto));
  }

  /** Does long work; its first piece comes after all moves that were asked for before. */
  void work(IncrementalTask work, Runnable done) {
    jobs.add(new Job.Piece(work, done));
  }

  /** The offset before which the log is in chunks. */
  long moved() {
    return moved;
  }

  /** Segments that wait to be moved. */
  int waiting() {
    return waiting.get();
  }

  /** Stops after the step that is being done; what waits is found again at the next start. */
  void stop() throws InterruptedException {
    stopping.countDown();
    jobs.add(new Job.Stop());
    thread.join();
  }

  private void run() {
    try {
      while (stopping.getCount() > 0) {
        switch (jobs.take()) {
          case Job.Move move -> {
            if (insist(
                    "move points into chunks",
                    () -> chunks.save(move.segment(), move.chunks(), move.upto()).map(true))
                .isPresent()) {
              moved = move.upto();
              waiting.decrementAndGet();
              dropSegments();
            }
          }
          case Job.Piece piece -> {
            long start = System.nanoTime();
            Optional<Boolean> last = insist(piece.work().what(), piece.work()::next);
            if (last.isPresent() && last.get()) {
              piece.done().run();
            } else if (last.isPresent()) {
              jobs.add(piece);
              rest(System.nanoTime() - start);
            }
          }
          case Job.Stop() -> {}
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void rest(long worked) throws InterruptedException {
    if (waiting.get() == 0 && stopping.await(Math.min(worked, REST_NANOS), TimeUnit.NANOSECONDS)) {
      LOG.debug("stopping, the work goes on at the next start");
    }
  }

  /** Does a step until it succeeds; empty when it is to stop before that. */
  private <T> Optional<T> insist(String what, Supplier<Future<T>> step)
      throws InterruptedException {
    do {
      AsyncResult<T> outcome = step.get().transform(Future::succeededFuture).await();
      if (outcome.succeeded()) {
        return Optional.of(outcome.result());
      }
      LOG.error("could not {}, trying again", what, outcome.cause());
    } while (!stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    return Optional.empty();
  }

  private void dropSegments() {
    try {
      segments.deleteBefore(moved, keptSegments);
    } catch (IOException e) {
      LOG.warn("could not delete moved segments of the metric log, they only take space", e);
    }
  }
}
