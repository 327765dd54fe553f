package io.orrery.gateway.status;

import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is asked for again when it is old, once at a time however many want it. It belongs
 * to the event loop that asks.
 */
final class Latest<T> {
  /** How long a caller waits for a new value. */
  static final Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * A value with its age.
   *
   * @param at when it was found out; null when it is only a stand-in
   */
  record Told<T>(T value, @Nullable Instant at) {}

  private final Clock clock;
  private final Duration fresh;
  private final Supplier<Future<T>> question;
  private final Function<Throwable, T> failed;
  private final Supplier<T> late;
  private @Nullable Told<T> last;
  private @Nullable Future<Told<T>> running;

  /**
   * @param fresh how long a value is taken as it is
   * @param failed the value of a question that failed
   * @param late the value while there is no answer
   */
  Latest(
      Clock clock,
      Duration fresh,
      Supplier<Future<T>> question,
      Function<Throwable, T> failed,
      Supplier<T> late) {
    this.clock = clock;
    this.fresh = fresh;
    this.question = question;
    this.failed = failed;
    this.late = late;
  }

  /** The value; completes within the timeout, and never fails. */
  Future<Told<T>> now() {
    return now(TIMEOUT);
  }

  /** The value; completes within the patience of who asks, and never fails. */
  Future<Told<T>> now(Duration patience) {
    Told<T> known = last;
    if (known != null && isYoungerThan(known, fresh)) {
      return Future.succeededFuture(known);
    }
    Future<Told<T>> asked = running == null ? ask() : running;
    if (asked.isComplete()) {
      return asked;
    }
    Promise<Told<T>> answer = Promise.promise();
    Clock.Timer timer = clock.after(patience, () -> answer.tryComplete(standIn()));
    asked.onComplete(done -> {
      timer.cancel();
      answer.tryComplete(done.succeeded() ? done.result() : standIn());
    });
    return answer.future();
  }

  /** The value from before for as long again: a slow question is not a fault at once. */
  private Told<T> standIn() {
    Told<T> known = last;
    return known != null && isYoungerThan(known, fresh.multipliedBy(2).plus(TIMEOUT))
        ? known
        : new Told<>(late.get(), null);
  }

  private boolean isYoungerThan(Told<T> known, Duration age) {
    Instant at = known.at();
    return at != null && Duration.between(at, clock.now()).abs().compareTo(age) < 0;
  }

  private Future<Told<T>> ask() {
    Future<Told<T>> asked =
        asked()
            .otherwise(failed)
            .map(value -> {
              Told<T> told = new Told<>(value, clock.now());
              last = told;
              return told;
            });
    if (!asked.isComplete()) {
      running = asked;
      asked.onComplete(done -> running = null);
    }
    return asked;
  }

  private Future<T> asked() {
    try {
      return question.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
