package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Assess;
import io.orrery.core.bus.contract.Tuners.Assessed;
import io.orrery.core.bus.contract.Tuners.Told;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.Clock;
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
  private final AlgorithmThreads threads;
  private final Supervisor<HostedAssessor> supervisor;

  private long learnt;

  /**
   * @param through the ordinal up to which the past is read from history
   */
  AssessorHandle(
      String algorithm,
      ExperimentId experiment,
      AssessorReplay replay,
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
            "the assessor " + algorithm,
            "experiment " + experiment + ": assessor " + algorithm,
            () -> replay.run(learnt),
            HostedAssessor::close,
            clock,
            workers);
  }

  /** Starts the replay. */
  void begin() {
    supervisor.begin();
  }

  /** Whether an attempt should go on, by what it has reported. */
  Future<Assessed> assess(Assess question, List<MetricPoint> points) {
    String trial = question.attempt().trial().trial().value();
    return supervisor.ask(assessor ->
        threads
            .run(progress -> assessor.assess(trial, question.parameterId(), points))
            .map(verdict -> assessed(algorithm, verdict)));
  }

  /** A verdict as it is answered: with the name of the assessor that gave it. */
  static Assessed assessed(String algorithm, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Good() -> new Assessed(null);
      case Verdict.Bad(String why) -> new Assessed(algorithm + ": " + why);
    };
  }

  /** How trials ended. */
  Future<Told> tell(List<Settled> results) {
    return supervisor.tell(assessor -> learn(assessor, results), new Told());
  }

  private Future<Told> learn(HostedAssessor assessor, List<Settled> results) {
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
        .compose(ended -> replay.tell(assessor, ended, true))
        .onSuccess(told -> learnt = news.getLast().ordinal())
        .map(told -> new Told());
  }

  /** Ends it: what waits fails, what runs is left to end. */
  void close() {
    supervisor.close();
    replay.close();
  }
}
