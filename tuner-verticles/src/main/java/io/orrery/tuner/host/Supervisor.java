package io.orrery.tuner.host;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one algorithm of one experiment alive, and asks it one thing after the other.
 *
 * <p><b>One that fails is not trusted any more.</b> Whether it throws, runs out of memory or stack,
 * or does not come back: it is thrown away, built anew from history, and what it failed at is asked
 * once more. The second time at once, then after a pause that doubles. When {@link
 * Workers#failures} attempts in a row have failed it is over: every question is answered with the
 * reason, until the algorithm is opened again. A failure to read history counts the same.
 *
 * <p><b>No question waits in silence.</b> A question that has waited for {@link Workers#notice} is
 * answered with Busy and what is the matter; the asker shows it and asks again. Thinking goes on
 * meanwhile: to be slow is no fault. News are never refused: after the same time they count as
 * taken, and stay in their order until the algorithm has heard them.
 *
 * <p>All methods run on one event loop.
 */
final class Supervisor<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 5;

  private final String name;
  private final String label;
  private final Supplier<Future<T>> build;
  private final Consumer<T> end;
  private final Clock clock;
  private final Workers workers;

  private final Deque<Item<?>> queue = new ArrayDeque<>();
  private int questions;

  /** Something is under way: the building, or the first of the queue. */
  private boolean busy;

  private boolean pausing;

  /** Whether {@link #next} is at work, and whether there is something for it since. */
  private boolean advancing;

  private boolean again;

  /** The living one is to be replaced, though it has done nothing wrong. */
  private boolean outdated;

  private boolean closed;
  private int failures;
  private @Nullable T living;
  private @Nullable String lastFailure;
  private @Nullable Problem broken;

  /** Since when it has been owing an answer. */
  private Instant owingSince;

  /**
   * @param name for its user: {@code the tuner TPE}
   * @param label for the log: with the experiment
   * @param build makes one that knows the past
   * @param end releases one that is not asked any more, whatever it does at the moment
   */
  Supervisor(
      String name,
      String label,
      Supplier<Future<T>> build,
      Consumer<T> end,
      Clock clock,
      Workers workers) {
    this.name = name;
    this.label = label;
    this.build = build;
    this.end = end;
    this.clock = clock;
    this.workers = workers;
    this.owingSince = clock.now();
  }

  /** Starts to build it. */
  void begin() {
    next();
  }

  /** Builds it anew, after what it is at now; whatever waits is asked the new one. */
  void renew() {
    outdated = true;
    next();
  }

  /** Asks; fails with Busy when too many wait already, or when this one has waited for long. */
  <A> Future<A> ask(Function<T, Future<A>> question) {
    if (questions >= workers.queue()) {
      return Future.failedFuture(busy(questions + " questions wait for " + name));
    }
    questions++;
    return enqueue(new Item<>(question, null)).onComplete(done -> questions--);
  }

  /**
   * Tells news.
   *
   * @param taken the answer when they have to wait
   */
  <A> Future<A> tell(Function<T, Future<A>> news, A taken) {
    return enqueue(new Item<>(news, taken));
  }

  /**
   * Ends it: questions fail, and one that it is thinking about ends it at once. News that have
   * begun to be told are told to the end before it goes: a user's own tuner may keep its books.
   */
  void close() {
    closed = true;
    Item<?> first = queue.peek();
    if (living == null || first == null || first.taken == null) {
      failAll(gone());
      letGo();
    } else {
      List<Item<?>> questions = queue.stream().filter(item -> item.taken == null).toList();
      queue.removeAll(questions);
      questions.forEach(item -> item.fail(gone().toException()));
    }
  }

  private Problem gone() {
    return new Problem.Conflict(name + " was closed or opened again");
  }

  private <A> Future<A> enqueue(Item<A> item) {
    if (broken != null) {
      return Future.failedFuture(broken.toException());
    }
    if (queue.isEmpty() && !busy) {
      owingSince = clock.now();
    }
    queue.add(item);
    item.timer = clock.after(workers.notice(), () -> late(item));
    next();
    return item.answer.future();
  }

  private <A> void late(Item<A> item) {
    if (item.taken != null) {
      item.answer.tryComplete(item.taken);
    } else {
      item.fail(busy(plight()));
      if (!busy || queue.peek() != item) {
        queue.remove(item);
      }
    }
  }

  /** Why there is no answer. */
  private String plight() {
    long seconds = Duration.between(owingSince, clock.now()).toSeconds();
    if (failures > 0) {
      return "%s failed (%s) and is started again: attempt %d of %d"
          .formatted(name, lastFailure, failures + 1, workers.failures());
    }
    return living == null
        ? "%s has been starting, and reading the past, for %d s".formatted(name, seconds)
        : "%s has not answered for %d s".formatted(name, seconds);
  }

  /**
   * Goes on with what can be done now. What is done at once, such as news that came with a question
   * before them, calls this again: that is a round of a loop, since thousands of them would be too
   * deep for a stack.
   */
  private void next() {
    if (advancing) {
      again = true;
      return;
    }
    advancing = true;
    try {
      do {
        again = false;
        advance();
      } while (again);
    } finally {
      advancing = false;
    }
  }

  private void advance() {
    if (busy || pausing || broken != null) {
      return;
    }
    if (outdated && !closed) {
      outdated = false;
      letGo();
    }
    T ready = living;
    Item<?> first = queue.peek();
    if (closed && (ready == null || first == null)) {
      failAll(gone());
      letGo();
    } else if (ready == null) {
      busy = true;
      outdated = false;
      attempt(build)
          .onComplete(built -> {
            busy = false;
            if (built.succeeded()) {
              living = built.result();
            } else {
              failed(built.cause());
            }
            next();
          });
    } else if (first != null) {
      busy = true;
      start(first, ready);
    }
  }

  private <A> void start(Item<A> item, T ready) {
    attempt(() -> item.work.apply(ready))
        .onComplete(outcome -> {
          busy = false;
          if (outcome.succeeded()) {
            failures = 0;
            owingSince = clock.now();
            queue.remove(item);
            item.succeed(outcome.result());
          } else {
            if (item.taken == null && item.answer.future().isComplete()) {
              queue.remove(item);
            }
            failed(outcome.cause());
          }
          next();
        });
  }

  /** What throws instead of failing must not leave us busy for ever. */
  private static <A> Future<A> attempt(Supplier<Future<A>> work) {
    try {
      return work.get();
    } catch (RuntimeException failure) {
      return Future.failedFuture(failure);
    }
  }

  private void letGo() {
    T gone = living;
    living = null;
    if (gone != null) {
      end.accept(gone);
    }
  }

  private void failed(Throwable failure) {
    letGo();
    Problem problem = Problem.of(failure);
    lastFailure = problem.detail();
    if (closed) {
      return;
    }
    if (problem instanceof Problem.Unavailable missing) {
      // Another process has its past: that is no fault of its own.
      LOG.warn("{} waits: {}", label, lastFailure);
      tryAgainAfter(missing.retryAfter());
      return;
    }
    failures++;
    StackTraceElement[] stack = failure.getStackTrace();
    String where = stack.length == 0 ? "" : " at " + stack[0];
    LOG.warn(
        "could not run {}, failure {} of {} in a row: {}{}",
        label,
        failures,
        workers.failures(),
        lastFailure,
        where);
    if (failures >= workers.failures()) {
      LOG.error("{} is given up", label, failure);
      broken =
          new Problem.Broken(
              name
                  + " failed "
                  + (failures == 1 ? "" : failures + " times in a row; the last time: ")
                  + lastFailure);
      failAll(broken);
    } else if (failures > 1) {
      int doublings = Math.min(failures - 2, MOST_DOUBLINGS);
      tryAgainAfter(FIRST_PAUSE.multipliedBy(1L << doublings));
    }
  }

  private void tryAgainAfter(Duration pause) {
    pausing = true;
    clock.after(
        pause,
        () -> {
          pausing = false;
          next();
        });
  }

  private void failAll(Problem problem) {
    List<Item<?>> all = List.copyOf(queue);
    queue.clear();
    all.forEach(item -> item.fail(problem.toException()));
  }

  private static Throwable busy(String why) {
    return new Problem.Busy(why, RETRY_AFTER).toException();
  }

  private final class Item<A> {
    private final Function<T, Future<A>> work;
    private final @Nullable A taken;
    private final Promise<A> answer = Promise.promise();
    private Clock.@Nullable Timer timer;

    Item(Function<T, Future<A>> work, @Nullable A taken) {
      this.work = work;
      this.taken = taken;
    }

    /** Answers, unless it was answered when it had waited for long. */
    void succeed(A result) {
      stopWaiting();
      answer.tryComplete(result);
    }

    void fail(Throwable failure) {
      stopWaiting();
      answer.tryFail(failure);
    }

    private void stopWaiting() {
      if (timer != null) {
        timer.cancel();
      }
    }
  }
}
