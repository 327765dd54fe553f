package io.orrery.core.problem;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * The outcome of one of several requests that were made together, of which some may be refused.
 *
 * @param <T> what there is to say of one that was done
 */
public sealed interface Outcome<T> {
  /** The value of a request that was done. */
  record Done<T>(T value) implements Outcome<T> {}

  /** The problem of a request that was refused as a whole. */
  record Undone<T>(Problem problem) implements Outcome<T> {}

  /** What became of something that was asked for by itself. */
  static <T> Outcome<T> of(AsyncResult<T> result) {
    return result.succeeded()
        ? new Done<>(result.result())
        : new Undone<>(Problem.of(result.cause()));
  }

  /** The same of something else, made from this. */
  default <U> Outcome<U> map(Function<T, U> change) {
    return switch (this) {
      case Done<T>(T value) -> new Done<>(change.apply(value));
      case Undone<T>(Problem problem) -> new Undone<>(problem);
    };
  }

  /** The same for who asked for this alone. */
  default Future<T> toFuture() {
    return switch (this) {
      case Done<T>(T value) -> Future.succeededFuture(value);
      case Undone<T>(Problem problem) -> Future.failedFuture(problem.toException());
    };
  }
}
