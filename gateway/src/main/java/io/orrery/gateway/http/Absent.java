package io.orrery.gateway.http;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.Optional;

/** A reading of answers in which an object that is not there, or is hidden, is no failure. */
public final class Absent {
  private Absent() {}

  /** The object; empty where the answer is NotFound. */
  public static <T> Future<Optional<T>> of(Future<T> asked) {
    return asked
        .map(Optional::of)
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure));
  }
}
