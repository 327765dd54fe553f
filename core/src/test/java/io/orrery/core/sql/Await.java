package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures on the thread of a test. */
public final class Await {
  private Await() {}

  public static <T> T success(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** The problem that a future fails with. */
  public static Problem failure(Future<?> future) throws InterruptedException, TimeoutException {
    try {
      Object value = future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      throw new AssertionError("expected a failure, got " + value);
    } catch (ExecutionException e) {
      return Problem.of(e.getCause());
    }
  }
}
