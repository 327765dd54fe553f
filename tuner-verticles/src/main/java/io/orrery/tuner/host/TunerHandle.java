package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Ask;
import io.orrery.core.bus.contract.Tuners.Assess;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The open tuner of one experiment; a {@link Supervisor} keeps it alive, {@link AlgorithmThreads}
 * let it think.
 *
 * <p><b>The same question has the same answer.</b> What was suggested is kept until its trial has
 * settled. A number that is asked for again, because the first answer got lost or came too late,
 * gets the suggestion it had; and a rebuilt tuner is reminded of suggestions that are not in the
 * history yet.
 *
 * <p>All methods run on the verticle's event loop; only the tuner itself is touched by other
 * threads.
 */
final class TunerHandle {
  private static final int MOST_AT_ONCE = 1_000;
  private static final Suggestions NOTHING = new Suggestions(List.of(), false);

  private final String algorithm;
  private final Replay replay;
  private final AlgorithmThreads threads;
  private final Supervisor<HostedTuner> supervisor;

  /** Suggestions whose trials have not settled, by number. */
  private final SortedMap<Long, Suggestion> given = new TreeMap<>();

  /** The numbers of those, by parameter id. */
  private final Map<String, Long> numbers = new HashMap<>();

  /**
   * How trials ended that it has not learnt yet, by their places in the history. Kept here and not
   * with what it is asked: a question that has waited for too long is dropped, and whatever is next
   * must not be learnt before what came with it.
   */
  private final SortedMap<Long, Settled> unknown = new TreeMap<>();

  private long learnt;

  /**
   * @param through the ordinal up to which the past is read from history
   */
  TunerHandle(
      String algorithm,
      ExperimentId experiment,
      Replay replay,
      AlgorithmThreads threads,
      Clock clock,
      Workers workers,
      long through) {
    this.algorithm = algorithm;
    this.replay = replay;
    this.threads = threads;
    this.learnt = through;
    this.supervisor =
        new Supervisor<>(
            "the tuner " + algorithm,
            "experiment " + experiment + ": tuner " + algorithm,
            () -> replay.run(learnt, given.values()),
            HostedTuner::close,
            clock,
            workers);
  }

  /** Starts the replay. */
  void begin() {
    supervisor.begin();
  }

  /** Another algorithm is to do the work from now on: it is built anew. */
  void renew() {
    supervisor.renew();
  }

  /** What to try next, after it has learnt the news. */
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
    hear(ask.news());
    return supervisor.ask(tuner -> suggest(tuner, ask));
  }

  /** Whether an attempt should go on; only an advisor has an opinion. */
  Future<Assessed> assess(Assess question, List<MetricPoint> points) {
    String trial = question.attempt().trial().trial().value();
    return supervisor.ask(tuner ->
        threads
            .run(progress -> tuner.assess(trial, question.parameterId(), points))
            .map(verdict -> AssessorHandle.assessed(algorithm, verdict)));
  }

  /** How trials ended. */
  Future<Told> tell(List<Settled> results) {
    hear(results);
    return supervisor.tell(this::learn, new Told());
  }

  /** Ends it: what waits fails, what runs is left to end. */
  void close() {
    supervisor.close();
    replay.close();
  }

  private Future<Suggestions> suggest(HostedTuner tuner, Ask ask) {
    List<Suggestion> again = new ArrayList<>();
    long next = ask.firstNumber();
    for (Suggestion known = given.get(next);
        known != null && again.size() < ask.count();
        known = given.get(next)) {
      again.add(known);
      next++;
    }
    int missing = ask.count() - again.size();
    List<Settled> news = List.copyOf(unknown.values());
    if (missing == 0 && news.isEmpty()) {
      return Future.succeededFuture(new Suggestions(again, false));
    }
    long first = next;
    return threads
        .run(progress -> {
          learn(tuner, news, progress);
          return missing == 0 ? NOTHING : finite(tuner.suggest(missing, first));
        })
        .map(fresh -> {
          learnt(news);
          long number = first;
          for (Suggestion suggestion : fresh.items()) {
            numbers.put(suggestion.parameterId(), number);
            given.put(number++, suggestion);
            again.add(suggestion);
          }
          return new Suggestions(again, fresh.exhausted(), fresh.thinking());
        });
  }

  /** A number that is not finite is no value for a trial: who suggests one has failed. */
  private static Suggestions finite(Suggestions fresh) {
    for (Suggestion suggestion : fresh.items()) {
      String place = Numbers.firstNotFinite(suggestion.parameters().values(), "");
      if (place != null) {
        throw new Problem.Broken(
                "it suggested a number that is not finite at %s: %s"
                    .formatted(place, suggestion.parameters().toJson()))
            .toException();
      }
    }
    return fresh;
  }

  private Future<Told> learn(HostedTuner tuner) {
    List<Settled> news = List.copyOf(unknown.values());
    if (news.isEmpty()) {
      return Future.succeededFuture(new Told());
    }
    return threads
        .run(progress -> {
          learn(tuner, news, progress);
          return new Told();
        })
        .onSuccess(told -> learnt(news));
  }

  private static void learn(HostedTuner tuner, List<Settled> news, Runnable progress)
      throws Exception {
    for (Settled result : news) {
      tuner.learn(result);
      progress.run();
    }
  }

  private void hear(List<Settled> news) {
    for (Settled result : news) {
      if (result.ordinal() > learnt) {
        unknown.put(result.ordinal(), result);
      }
    }
  }

  private void learnt(List<Settled> news) {
    if (!news.isEmpty()) {
      learnt = news.getLast().ordinal();
      unknown.headMap(learnt + 1).clear();
      news.forEach(result -> settle(result.parameterId()));
    }
  }

  private void settle(@Nullable String parameterId) {
    Long number = parameterId == null ? null : numbers.remove(parameterId);
    if (number != null) {
      given.remove(number);
    }
  }
}
