package io.orrery.metrics.ingest;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.Problem;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.store.MetricLog;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The way in: a sink over the log, the same on the bus, and the news of what became durable. */
public final class Ingest implements MetricSink {
  private final MetricLog log;
  private final Meters meters;

  public Ingest(MetricLog log, Meters meters) {
    this.log = log;
    this.meters = meters;
  }

  /** Serves APPEND, FINAL and FORGET; completes when they can be reached. */
  public Future<Void> serve(Bus bus) {
    return Future.all(
            bus.serve(Metrics.APPEND, question -> append(question.points())),
            bus.serve(
                Metrics.FINAL,
                question ->
                    log.lastFinal(question.attempt())
                        .map(result -> new Metrics.Final(result.orElse(null)))),
            bus.serve(
                Metrics.FORGET,
                question -> log.forget(question.experiment()).map(new Metrics.Forgotten())))
        .mapEmpty();
  }

  @Override
  public Future<List<Outcome<Receipt>>> appendAll(List<List<MetricPoint>> batches) {
    return log.appendAll(batches)
        .map(all -> all.stream().map(one -> one.map(Ingest::receipt)).toList())
        .onSuccess(outcomes -> count(batches, outcomes))
        .onFailure(failure ->
            meters.refused(batches.stream().mapToInt(List::size).sum(), Problem.of(failure)));
  }

  private void count(List<List<MetricPoint>> batches, List<Outcome<Receipt>> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Done<Receipt>(Receipt receipt) -> meters.taken(receipt);
        case Outcome.Undone<Receipt>(Problem problem) ->
            meters.refused(batches.get(i).size(), problem);
      }
    }
  }

  private static Receipt receipt(MetricLog.Appended appended) {
    return new Receipt(appended.fresh().size(), appended.duplicates());
  }

  /** Publishes durable points, each experiment's on its own topic in the order of the log. */
  public static void announce(Bus bus, List<MetricPoint> points) {
    announceEach(bus, points);
    announceFinals(bus, points);
  }

  private static void announceEach(Bus bus, List<MetricPoint> points) {
    ExperimentId first = points.getFirst().attempt().trial().experiment();
    if (areAllOf(first, points)) {
      bus.publish(Metrics.STORED.of(first), new Metrics.Stored(first, points));
      return;
    }
    Map<ExperimentId, List<MetricPoint>> byExperiment = new LinkedHashMap<>();
    ExperimentId previous = null;
    List<MetricPoint> some = List.of();
    for (MetricPoint point : points) {
      ExperimentId experiment = point.attempt().trial().experiment();
      if (!experiment.equals(previous)) {
        previous = experiment;
        some = byExperiment.computeIfAbsent(experiment, id -> new ArrayList<>());
      }
      some.add(point);
    }
    byExperiment.forEach((experiment, own) ->
        bus.publish(Metrics.STORED.of(experiment), new Metrics.Stored(experiment, own)));
  }

  /** Points of an attempt follow each other, and the same attempt is looked at once. */
  private static boolean areAllOf(ExperimentId experiment, List<MetricPoint> points) {
    AttemptRef previous = null;
    for (MetricPoint point : points) {
      AttemptRef attempt = point.attempt();
      if (!attempt.equals(previous) && !attempt.trial().experiment().equals(experiment)) {
        return false;
      }
      previous = attempt;
    }
    return true;
  }

  private static void announceFinals(Bus bus, List<MetricPoint> points) {
    List<MetricPoint> finals = new ArrayList<>(0);
    for (MetricPoint point : points) {
      if (point.kind() == MetricKind.FINAL) {
        finals.add(point);
      }
    }
    if (!finals.isEmpty()) {
      bus.publishHere(Metrics.FINALS, new Metrics.StoredFinals(finals));
    }
  }
}
