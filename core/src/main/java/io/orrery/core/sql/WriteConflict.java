package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * The failure of a write whose rows are not as its author read them, since another write came first
 * (optimistic concurrency control), and the repetition of a change that failed so.
 */
public final class WriteConflict {
  private static final Problem.Conflict OVERTAKEN =
      new Problem.Conflict(
          "Another change of it came first, so nothing was changed: look at its present state, and"
              + " try again.");

  private static final int ATTEMPTS = 3;

  private WriteConflict() {}

  /** The failure of a statement that touched another number of rows than it was to. */
  static ProblemException of(int expected, int touched) {
    return (touched < expected
            ? OVERTAKEN
            : new Problem.Conflict("expected " + expected + " rows, touched " + touched))
        .toException();
  }

  /**
   * Runs a change that reads, decides and writes; where another write came between, the whole of it
   * again, up to three times in all. For commands that name no revision, whose author would only
   * repeat them: the server itself changes such objects too (rollouts, autoscaling).
   */
  public static <T> Future<T> retried(Supplier<Future<T>> change) {
    return retried(change, ATTEMPTS);
  }

  private static <T> Future<T> retried(Supplier<Future<T>> change, int attempts) {
    return change
        .get()
        .recover(failure ->
            attempts > 1 && OVERTAKEN.equals(Problem.of(failure))
                ? retried(change, attempts - 1)
                : Future.failedFuture(failure));
  }
}
