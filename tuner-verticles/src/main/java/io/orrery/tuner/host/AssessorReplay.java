package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an assessor and tells it how the trials before went: which there were is read from the
 * experiment's history, their curves from the metrics.
 */
final class AssessorReplay {
  /** Curves that are in memory at once. */
  private static final int AT_ONCE = 16;

  private final ExperimentId experiment;
  private final HistoryReader past;
  private final HistoryReadLimiter room;
  private final Curves curves;
  private final AlgorithmThreads threads;
  private final HostedAssessor.Opening opening;

  AssessorReplay(
      ExperimentId experiment,
      HistoryReader past,
      HistoryReadLimiter room,
      Curves curves,
      AlgorithmThreads threads,
      HostedAssessor.Opening opening) {
    this.experiment = experiment;
    this.past = past;
    this.room = room;
    this.curves = curves;
    this.threads = threads;
    this.opening = opening;
  }

  /** A trial with its end, and its points. */
  record Ended(Settled settled, List<MetricPoint> points) {}

  /**
   * An assessor that knows the past.
   *
   * @param through the last ordinal of it
   */
  Future<HostedAssessor> run(long through) {
    return threads
        .run(progress -> opening.open(through > 0))
        .compose(assessor ->
            past.through(through, entries -> page(assessor, entries, through))
                .map(assessor)
                .onFailure(failure -> assessor.close()));
  }

  /** Ends one that is running, at its next page. */
  void close() {
    past.close();
  }

  private Future<Void> page(HostedAssessor assessor, List<Entry> entries, long through) {
    List<Settled> settled = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Settled end) {
        settled.add(end);
      }
    }
    Future<Void> told = Future.succeededFuture();
    for (int from = 0; from < settled.size(); from += AT_ONCE) {
      List<Settled> some = settled.subList(from, Math.min(from + AT_ONCE, settled.size()));
      long left = through - some.getFirst().ordinal() + 1;
      told =
          told.compose(before -> room.read(left, () -> curves(some)))
              .compose(ended -> tell(assessor, ended, false));
    }
    return told;
  }

  /** Adds what these trials reported. */
  Future<List<Ended>> curves(List<Settled> settled) {
    return Future.all(
            settled.stream()
                .map(end ->
                    curves
                        .of(new TrialRef(experiment, end.trial()))
                        .map(points -> new Ended(end, points)))
                .toList())
        .map(all -> all.list());
  }

  /**
   * Tells an assessor how trials ended.
   *
   * @param seen whether it was there when they ran
   */
  Future<Void> tell(HostedAssessor assessor, List<Ended> all, boolean seen) {
    return threads
        .run(progress -> {
          for (Ended ended : all) {
            boolean succeeded = ended.settled().status() == TrialStatus.SUCCEEDED;
            assessor.ended(ended.settled().trial().value(), succeeded, ended.points(), seen);
            progress.run();
          }
          return assessor;
        })
        .mapEmpty();
  }
}
