package io.orrery.compute.attempt;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the blocking work of a platform, each task on a virtual thread, with the answer on the
 * context of the caller. Threads are interrupted when the platform closes. A task that fails then
 * is answered as Busy, because the next server can repeat it.
 */
public final class Background implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);

  /** A handler on an event loop that has not answered by then never will. */
  private static final long ANSWER_SECONDS = 600;

  private final Vertx vertx;
  private final String platform;
  private final ExecutorService threads;

  /** A task that may block and fail. */
  @FunctionalInterface
  public interface Step {
    void run() throws Exception;
  }

  /**
   * @param platform its name, for threads and messages
   */
  public Background(Vertx vertx, String platform) {
    this.vertx = vertx;
    this.platform = platform;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(platform + "-", 0).factory());
  }

  /** Does it on a thread of its own; a failure is a {@link Problem}. */
  public <T extends @Nullable Object> Future<T> run(Callable<T> work) {
    Context context = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    try {
      threads.execute(() -> {
        try {
          T result = work.call();
          context.runOnContext(done -> promise.complete(result));
        } catch (Throwable e) { // those who wait must be told of an Error as well
          context.runOnContext(done -> promise.fail(problem(e).toException()));
        }
      });
    } catch (RejectedExecutionException e) {
      promise.fail(closing().toException());
    }
    return promise.future();
  }

  private Problem problem(Throwable e) {
    Problem problem = Problem.of(e);
    if (!(problem instanceof Problem.Broken)) {
      return problem;
    }
    if (threads.isShutdown()) {
      return closing();
    }
    LOG.warn("could not complete a call to platform {}", platform, e);
    return problem;
  }

  private Problem closing() {
    return new Problem.Busy("the platform " + platform + " is closing", Duration.ofSeconds(1));
  }

  /**
   * Runs a task on a thread of its own; its outcome is not reported.
   *
   * @throws RejectedExecutionException when the platform closes
   */
  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Waits for an answer from an event loop; never to be called on one. */
  public static <T extends @Nullable Object> T await(Future<T> future) throws Exception {
    return future.await(ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for what another thread does, and fails as that failed. */
  public static <T extends @Nullable Object> T await(java.util.concurrent.Future<T> future)
      throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /**
   * Tries again while the platform has no time for us or cannot be reached; sleeps in between.
   *
   * @param tries 1 or more
   */
  public static <T extends @Nullable Object> T patiently(int tries, Callable<T> work)
      throws Exception {
    for (int left = tries; ; left--) {
      try {
        return work.call();
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.Busy busy) || left <= 1) {
          throw e;
        }
        LOG.warn("trying again: {}", busy.detail());
        Thread.sleep(busy.retryAfter());
      }
    }
  }

  /** Takes nothing more; what is under way goes on. */
  public void refuse() {
    threads.shutdown();
  }

  /** Takes nothing more, and interrupts what is under way. */
  public void interrupt() {
    threads.shutdownNow();
  }

  /** Waits until nothing is under way any more, or for so long. */
  public void awaitEnd(Duration limit) throws InterruptedException {
    threads.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Does the last of all, when the threads refuse already. Never fails: what did is logged. */
  public Future<Void> atLast(Step step) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> closed = Promise.promise();
    Thread.ofVirtual()
        .name(platform + "-close")
        .start(() -> {
          try {
            step.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Exception e) {
            LOG.warn("could not close platform {} cleanly: {}", platform, e.toString());
          }
          context.runOnContext(done -> closed.complete());
        });
    return closed.future();
  }
}
