package io.orrery.metrics.store;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task for the writer thread, and the promise of its caller. Its work is done before the sync of
 * its group, its promise completes afterwards.
 */
final class LogTask<T> {
  /**
   * A function that runs on the writer thread and returns the answer for the offset after the sync.
   */
  @FunctionalInterface
  interface Work<T> {
    LongFunction<T> run() throws IOException, TimeoutException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(LogTask.class);

  private final List<Batch> batches;
  private final int points;
  private final long bytes;
  private final @Nullable Context home;
  private final Work<T> work;
  private final Promise<T> promise = Promise.promise();
  private @Nullable LongFunction<T> answer;
  private @Nullable Throwable refusal;

  /**
   * @param home where its caller hears of it; null for one without an event loop, who hears of it
   *     on the writer thread
   */
  LogTask(List<Batch> batches, int points, long bytes, @Nullable Context home, Work<T> work) {
    this.batches = batches;
    this.points = points;
    this.bytes = bytes;
    this.home = home;
    this.work = work;
  }

  /** The points that it brings; their attempts are loaded before the work. */
  List<Batch> batches() {
    return batches;
  }

  /** What it takes of the queue's bound. */
  int weight() {
    return Math.max(1, points);
  }

  long bytes() {
    return bytes;
  }

  Future<T> future() {
    return promise.future();
  }

  /**
   * Does the work. A problem is the answer to this caller; any other failure fails the whole group.
   */
  void run() throws IOException {
    try {
      answer = work.run();
    } catch (ProblemException e) {
      refusal = e;
    } catch (TimeoutException e) {
      refusal = new Problem.Broken("the metric store does not answer").toException();
    }
  }

  /** Tells the caller that all is durable up to an offset. */
  void complete(long offset) {
    LongFunction<T> given = answer;
    if (given == null) {
      Throwable failure =
          refusal == null ? new Problem.Broken("the work was not done").toException() : refusal;
      tell(() -> promise.fail(failure));
    } else {
      T value = given.apply(offset);
      tell(() -> promise.complete(value));
    }
  }

  void fail(Problem problem) {
    tell(() -> promise.fail(problem.toException()));
  }

  private void tell(Runnable news) {
    if (home != null) {
      home.runOnContext(go -> news.run());
      return;
    }
    try {
      news.run();
    } catch (RuntimeException e) {
      LOG.error("could not deliver an answer to its caller", e);
    }
  }
}
