package io.orrery.metrics.store;

import io.orrery.core.experiment.ExperimentId;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves closed segments into chunks and deletes what is forgotten, one thing after the other on a
 * thread of its own. A step that fails is tried again until it succeeds: the log still has
 * everything, and appends are refused when too much waits.
 */
final class Mover {
  private static final Logger LOG = LoggerFactory.getLogger(Mover.class);
  private static final long PAUSE_MILLIS = 1_000;

  private sealed interface Job {
    /** Chunks of a segment that ends at an offset. */
    record Move(List<Chunk> chunks, long upto) implements Job {}

    record Delete(ExperimentId experiment, Runnable done) implements Job {}

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

  Mover(ChunkTable chunks, Segments segments, int keptSegments) {
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

  void move(List<Chunk> segment, long upto) {
    waiting.incrementAndGet();
    jobs.add(new Job.Move(segment, upto));
  }

  /** Deletes the chunks of an experiment, after all moves that were asked for before. */
  void delete(ExperimentId experiment, Runnable done) {
    jobs.add(new Job.Delete(experiment, done));
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
            if (insist("move points into chunks", () -> chunks.save(move.chunks(), move.upto()))) {
              moved = move.upto();
              waiting.decrementAndGet();
              dropSegments();
            }
          }
          case Job.Delete delete -> {
            if (insist("delete forgotten points", () -> chunks.delete(delete.experiment()))) {
              delete.done().run();
            }
          }
          case Job.Stop() -> {}
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does a step until it succeeds; false when it is to stop before that. */
  private boolean insist(String what, Supplier<Future<Void>> step) throws InterruptedException {
    do {
      Throwable failure = step.get().transform(Future::succeededFuture).await().cause();
      if (failure == null) {
        return true;
      }
      LOG.error("could not {}, trying again", what, failure);
    } while (!stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    return false;
  }

  private void dropSegments() {
    try {
      segments.deleteBefore(moved, keptSegments);
    } catch (IOException e) {
      LOG.warn("could not delete moved segments of the metric log, they only take space", e);
    }
  }
}
