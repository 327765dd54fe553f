package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.Assessor.Verdict;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;

/**
 * The open assessor of one experiment, beside its tuner and kept alive in the same way. What trials
 * report is read from the metrics whenever it is needed, so nothing of it is held here, and a
 * restart forgets nothing.
 */
final class AssessorHandle {
  private final String algorithm;
  private final AssessorReplay replay;
  private final Curves curves;
  private final AlgorithmThreads threads;
  private final Supervisor<Assessor> supervisor;

  private long learnt;

  /**
   * @param through the ordinal up to which the past is read from history
   */
  AssessorHandle(
      String algorithm,
      ExperimentId experiment,
      AssessorReplay replay,
      Curves curves,
      AlgorithmThreads threads,
      Clock clock,
      Workers workers,
      long through) {
    this.algorithm = algorithm;
    this.replay = replay;
    this.curves = curves;
    this.threads = threads;
    this.learnt = through;
    this.supervisor =
        new Supervisor<>(
            "the assessor " + algorithm,
            "experiment " + experiment + ": assessor " + algorithm,
            () -> replay.run(learnt),
            clock,
            workers);
  }

  /** Starts the replay. */
  void begin() {
    supervisor.begin();
  }

  /** Whether an attempt should go on; one that has reported nothing should. */
  Future<Assessed> assess(AttemptRef attempt) {
    return curves
        .of(attempt.trial())
        .compose(points -> {
          if (points.isEmpty() || !points.getLast().attempt().equals(attempt)) {
            return Future.succeededFuture(new Assessed(null));
          }
          return supervisor.ask(assessor -> assess(assessor, attempt, points));
        });
  }

  private Future<Assessed> assess(Assessor assessor, AttemptRef attempt, List<MetricPoint> points) {
    List<Double> results = Curves.numbers(points);
    return threads
        .run(progress -> assessor.assess(attempt.trial().trial().value(), results))
        .map(verdict ->
            switch (verdict) {
              case Verdict.Good() -> new Assessed(null);
              case Verdict.Bad(String why) -> new Assessed(algorithm + ": " + why);
            });
  }

  /** How trials ended. */
  Future<Told> tell(List<Settled> results) {
    return supervisor.tell(assessor -> learn(assessor, results), new Told());
  }

  private Future<Told> learn(Assessor assessor, List<Settled> results) {
    List<Settled> news =
        results.stream()
            .filter(result -> result.ordinal() > learnt)
            .sorted(Comparator.comparingLong(Settled::ordinal))
            .toList();
    if (news.isEmpty()) {
      return Future.succeededFuture(new Told());
    }
    return replay
        .curves(news)
        .compose(ended -> replay.tell(assessor, ended))
        .onSuccess(told -> learnt = news.getLast().ordinal())
        .map(told -> new Told());
  }

  /** Ends it: what waits fails, what runs is left to end. */
  void close() {
    supervisor.close();
  }
}
