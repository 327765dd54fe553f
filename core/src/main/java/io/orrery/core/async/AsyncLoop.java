package io.orrery.core.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A loop whose steps are futures: the next step begins when the one before has completed.
 *
 * <p>A method that calls itself in {@code compose} builds a chain as long as the loop. When its
 * last future completes, the stack is as deep as the chain, and overflows at a few thousand steps.
 * Here stack and memory stay constant.
 *
 * <p>The first step runs at once. A step that throws or fails ends the loop with that failure.
 */
public final class AsyncLoop {
  private final Supplier<Future<Boolean>> step;
  private final Promise<Void> done = Promise.promise();

  private AsyncLoop(Supplier<Future<Boolean>> step) {
    this.step = step;
  }

  /** Repeats a step as long as it yields true. */
  public static Future<Void> repeat(Supplier<Future<Boolean>> step) {
    AsyncLoop loop = new AsyncLoop(step);
    loop.run();
    return loop.done.future();
  }

  /** Runs a step for each item, in their order; items are asked for one at a time. */
  public static <T> Future<Void> inTurn(Iterable<T> items, Function<T, ? extends Future<?>> step) {
    Iterator<T> left = items.iterator();
    return repeat(
        () -> left.hasNext() ? step.apply(left.next()).map(true) : Future.succeededFuture(false));
  }

  /** Goes from one state to the next until a step yields none. */
  public static <S> Future<Void> iterate(S first, Function<S, Future<Optional<S>>> step) {
    Current<S> at = new Current<>(first);
    return repeat(() ->
        step.apply(at.state)
            .map(next -> {
              at.state = next.orElse(at.state);
              return next.isPresent();
            }));
  }

  /**
   * Reads page after page.
   *
   * @param page is given the cursor of a page, null for the first, and yields the cursor of the
   *     following one, null after the last
   */
  public static Future<Void> pages(Function<@Nullable String, Future<@Nullable String>> page) {
    AtomicReference<@Nullable String> cursor = new AtomicReference<>();
    return repeat(() ->
        page.apply(cursor.get())
            .map(next -> {
              cursor.set(next);
              return next != null;
            }));
  }

  private static final class Current<S> {
    private S state;

    Current(S state) {
      this.state = state;
    }
  }

  /** Steps that have completed already are gone through by a loop, the others by a listener. */
  private void run() {
    Future<Boolean> next = begin();
    while (next.isComplete()) {
      if (!goesOn(next)) {
        return;
      }
      next = begin();
    }
    next.onComplete(outcome -> {
      if (goesOn(outcome)) {
        run();
      }
    });
  }

  private Future<Boolean> begin() {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private boolean goesOn(AsyncResult<Boolean> outcome) {
    if (outcome.failed()) {
      done.fail(outcome.cause());
      return false;
    }
    if (!outcome.result()) {
      done.complete();
      return false;
    }
    return true;
  }
}
