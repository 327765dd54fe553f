package io.orrery.tuner.host;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that algorithms think on: a few at a time, the rest waits its turn.
 *
 * <p>A thread that does not come back cannot be killed. When a call has shown no progress for the
 * {@linkplain Workers#patience patience} that is set, it fails, its thread is interrupted and
 * written off, and another thread takes its place: so one that hangs does not hold up the others.
 * What was written off is counted, and counted off when it does come back. The count has a bound,
 * because each of them may burn a processor: beyond it new calls fail at once, and say so.
 *
 * <p>All methods run on one event loop, and futures complete there.
 */
final class AlgorithmThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AlgorithmThreads.class);

  /** A task of an algorithm. */
  @FunctionalInterface
  interface Work<A> {
    /**
     * Runs on a thread of its own.
     *
     * @param progress to be run whenever a part of it is done
     */
    A run(Runnable progress) throws Exception;
  }

  private final Context loop;
  private final Clock clock;
  private final Workers workers;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("orrery-tuner-", 0).daemon().factory());
  private final Deque<Call<?>> waiting = new ArrayDeque<>();
  private int running;
  private int abandoned;

  /** Belongs to the event loop that it is made on. */
  AlgorithmThreads(Vertx vertx, Clock clock, Workers workers) {
    this.loop = vertx.getOrCreateContext();
    this.clock = clock;
    this.workers = workers;
  }

  /**
   * Runs it as soon as a thread is free.
   *
   * @return fails with whatever it throws, errors included, or when it has shown no progress for
   *     too long
   */
  <A> Future<A> run(Work<A> work) {
    if (abandoned >= workers.abandoned()) {
      return Future.failedFuture(
          new Problem.Broken(
                  abandoned
                      + " threads are lost to algorithms that do not answer, no more are given out;"
                      + " restart the server")
              .toException());
    }
    Call<A> call = new Call<>(work);
    waiting.add(call);
    startNext();
    return call.promise.future();
  }

  /** How many threads do not come back. */
  int abandoned() {
    return abandoned;
  }

  private void startNext() {
    if (running < workers.threads() && !waiting.isEmpty()) {
      running++;
      waiting.remove().start();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private final class Call<A> implements Runnable {
    private final Work<A> work;
    private final Promise<A> promise = Promise.promise();

    private Instant aliveAt = Instant.EPOCH;
    private long seen;
    private Clock.@Nullable Timer check;
    private boolean given;

    /** How often the work has said that a part of it is done. */
    private volatile long parts;

    /** Who works, null before and after; guarded by this. */
    private @Nullable Thread worker;

    Call(Work<A> work) {
      this.work = work;
    }

    void start() {
      aliveAt = clock.now();
      watch();
      try {
        threads.execute(this);
      } catch (RejectedExecutionException | OutOfMemoryError noThread) {
        loop.runOnContext(later -> end(Future.failedFuture(noThread)));
      }
    }

    @Override
    public void run() {
      work(Thread.currentThread());
      try {
        A answer = work.run(this::progress);
        work(null);
        loop.runOnContext(done -> end(Future.succeededFuture(answer)));
      } catch (Throwable failure) { // an algorithm may throw anything, and nothing may get lost
        work(null);
        loop.runOnContext(done -> end(Future.failedFuture(failure)));
      }
    }

    private synchronized void work(@Nullable Thread by) {
      worker = by;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void progress() {
      parts++;
    }

    private void end(Future<A> outcome) {
      if (given) {
        abandoned--;
        LOG.info("an algorithm that was given up has ended; {} have not", abandoned);
        return;
      }
      if (check != null) {
        check.cancel();
      }
      running--;
      startNext();
      outcome.onComplete(promise);
    }

    private void watch() {
      Duration rest = workers.patience().minus(Duration.between(aliveAt, clock.now()));
      Duration next = rest.compareTo(workers.notice()) < 0 ? rest : workers.notice();
      check = clock.after(next, this::check);
    }

    private void check() {
      long now = parts;
      if (now != seen) {
        seen = now;
        aliveAt = clock.now();
      }
      if (Duration.between(aliveAt, clock.now()).compareTo(workers.patience()) < 0) {
        watch();
      } else {
        giveUp();
      }
    }

    private void giveUp() {
      given = true;
      running--;
      abandoned++;
      Throwable failure = hanging();
      LOG.error(
          "an algorithm has not answered for {} s: its thread is given up, {} are lost now",
          workers.patience().toSeconds(),
          abandoned,
          failure);
      startNext();
      promise.fail(failure);
    }

    /** Says where it hangs, and asks it to stop: one that sleeps or waits will. */
    private synchronized Throwable hanging() {
      IllegalStateException failure =
          new IllegalStateException(
              "it has not answered for "
                  + workers.patience().toSeconds()
                  + " s and its thread was given up");
      if (worker != null) {
        failure.setStackTrace(worker.getStackTrace());
        worker.interrupt();
      }
      return failure;
    }
  }
}
