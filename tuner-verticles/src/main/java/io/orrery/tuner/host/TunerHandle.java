package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Ask;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.bus.contract.Tuners.Tell;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.tuner.search.Tuner;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open tuner of one experiment.
 *
 * <p><b>One question after the other.</b> Questions form a queue of futures: each starts when the
 * one before it has ended. Its work runs on the worker pool, so a tuner that thinks for long delays
 * neither the event loop nor, as long as a thread is free, the tuners of other experiments. The
 * queue has a bound; beyond it the answer is Busy. The replay of the past is simply the first in
 * the queue.
 *
 * <p><b>A tuner that throws is not trusted any more.</b> It is thrown away, rebuilt from history,
 * and asked once more; if it throws again, the asker gets the failure, and the next question starts
 * with another rebuild. A history that cannot be read counts the same.
 *
 * <p><b>The same question has the same answer.</b> What was suggested is kept until its trial has
 * settled. A number that is asked for again, because the first answer got lost, gets the suggestion
 * it had; and a rebuilt tuner is reminded of suggestions that are not in the history yet.
 *
 * <p>All methods run on the verticle's event loop; only the tuner itself is touched by workers.
 */
final class TunerHandle {
  private static final Logger LOG = LoggerFactory.getLogger(TunerHandle.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final int MOST_AT_ONCE = 1_000;

  private final Replay replay;
  private final WorkerExecutor pool;
  private final int limit;

  /** Suggestions whose trials have not settled, by number. */
  private final SortedMap<Long, Suggestion> given = new TreeMap<>();

  /** The numbers of those, by parameter id. */
  private final Map<String, Long> numbers = new HashMap<>();

  private Future<?> last = Future.succeededFuture();
  private int waiting;
  private boolean closed;
  private long learnt;
  private @Nullable Tuner tuner;

  /**
   * @param through the ordinal up to which the past is read from history
   */
  TunerHandle(Replay replay, WorkerExecutor pool, int limit, long through) {
    this.replay = replay;
    this.pool = pool;
    this.limit = limit;
    this.learnt = through;
  }

  /** Starts the replay. When it fails, the first question tries again and tells. */
  void prepare() {
    enqueue(this::alive)
        .onFailure(failure -> LOG.warn("{} could not replay its past", replay.label(), failure));
  }

  /** What to try next. */
  Future<Suggestions> ask(Ask ask) {
    if (ask.count() < 1 || ask.count() > MOST_AT_ONCE || ask.firstNumber() < 0) {
      return Future.failedFuture(
          new Problem.Refused(
                  new Finding(
                      "",
                      "ask for 1 to "
                          + MOST_AT_ONCE
                          + " suggestions from number 0 on, not for "
                          + ask.count()
                          + " from "
                          + ask.firstNumber()))
              .toException());
    }
    return enqueue(() -> suggest(ask));
  }

  /** How trials ended. */
  Future<Told> tell(Tell tell) {
    return enqueue(() -> learn(tell));
  }

  /** Ends it: what waits fails, what runs is left to end. */
  void close() {
    closed = true;
  }

  private Future<Suggestions> suggest(Ask ask) {
    List<Suggestion> again = new ArrayList<>();
    long next = ask.firstNumber();
    for (Suggestion known = given.get(next);
        known != null && again.size() < ask.count();
        known = given.get(next)) {
      again.add(known);
      next++;
    }
    int missing = ask.count() - again.size();
    if (missing == 0) {
      return Future.succeededFuture(new Suggestions(again, false));
    }
    long first = next;
    return twice(tuner -> tuner.suggest(missing, first))
        .map(fresh -> {
          long number = first;
          for (Suggestion suggestion : fresh.items()) {
            numbers.put(suggestion.parameterId(), number);
            given.put(number++, suggestion);
            again.add(suggestion);
          }
          return new Suggestions(again, fresh.exhausted());
        });
  }

  private Future<Told> learn(Tell tell) {
    List<Settled> news =
        tell.results().stream()
            .filter(result -> result.ordinal() > learnt)
            .sorted(Comparator.comparingLong(Settled::ordinal))
            .toList();
    if (news.isEmpty()) {
      return Future.succeededFuture(new Told());
    }
    return twice(
            tuner -> {
              news.forEach(result -> Replay.learn(tuner, result));
              return new Told();
            })
        .onSuccess(told -> {
          learnt = news.getLast().ordinal();
          news.forEach(result -> settle(result.parameterId()));
        });
  }

  private void settle(@Nullable String parameterId) {
    Long number = parameterId == null ? null : numbers.remove(parameterId);
    if (number != null) {
      given.remove(number);
    }
  }

  /** Work that a tuner does on the pool. */
  @FunctionalInterface
  private interface Work<A> {
    A with(Tuner tuner);
  }

  private <A> Future<A> twice(Work<A> work) {
    return once(work)
        .recover(failure -> {
          LOG.warn("{} failed and is rebuilt from history", replay.label(), failure);
          return once(work);
        })
        .recover(failure -> Future.failedFuture(broken(failure)));
  }

  private <A> Future<A> once(Work<A> work) {
    return alive()
        .compose(living -> pool.executeBlocking(() -> work.with(living), false))
        .onFailure(failure -> tuner = null);
  }

  private Future<Tuner> alive() {
    Tuner living = tuner;
    return living != null
        ? Future.succeededFuture(living)
        : replay.run(learnt, given.values()).onSuccess(ready -> tuner = ready);
  }

  private Throwable broken(Throwable failure) {
    LOG.error("{} failed again after it was rebuilt", replay.label(), failure);
    return new Problem.Broken(replay.label() + " failed: " + Problem.of(failure).detail())
        .toException();
  }

  private <A> Future<A> enqueue(Supplier<Future<A>> question) {
    if (waiting >= limit) {
      return Future.failedFuture(
          new Problem.Busy(waiting + " questions wait for " + replay.label(), RETRY_AFTER)
              .toException());
    }
    waiting++;
    Future<A> answer =
        last.transform(before -> closed ? Future.failedFuture(gone()) : question.get());
    last = answer;
    return answer.onComplete(done -> waiting--);
  }

  private Throwable gone() {
    return new Problem.Conflict(replay.label() + " was closed or opened again").toException();
  }
}
