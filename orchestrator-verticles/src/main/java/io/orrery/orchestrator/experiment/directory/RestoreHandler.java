package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.Statement;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.owner.ExperimentServices;
import io.orrery.orchestrator.experiment.store.AnnotationTable;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Puts back experiments that ran elsewhere. Points first, rows at once: after a crash in between
 * there is no experiment, and it can be put back again, its points being known by their numbers.
 */
record RestoreHandler(
    ExperimentServices services,
    Creation creation,
    ExperimentTable experiments,
    TrialTable trials) {
  private static final int APPENDED_AT_ONCE = 5_000;

  /** Fails with Refused for what cannot be had here, with Conflict when it is there already. */
  Future<Experiment> restore(Experiments.Restore past) {
    return creation
        .read(past.create())
        .map(read -> Restoration.of(read.id(), read.spec(), past))
        .compose(restored -> {
          ExperimentRecord record = restored.record();
          List<Statement> rows = new ArrayList<>(List.of(experiments.insert(record, null)));
          restored.trials().forEach(trial -> rows.addAll(trials.save(trial)));
          restored.annotations().forEach(brought -> rows.addAll(annotate(record, brought)));
          return experiments
              .free(record.id())
              .compose(free -> append(restored.points()))
              .compose(appended -> services.store().write(rows))
              .map(stored -> record.view(services.clock().now()))
              .onSuccess(now ->
                  services.bus().publish(Experiments.NEWS, new ExperimentEvent.Changed(now)));
        });
  }

  private List<Statement> annotate(ExperimentRecord record, Annotations.Brought brought) {
    Annotations.Annotation annotation = brought.annotation();
    return AnnotationTable.change(
        new Annotations.Change(
            new Annotations.Of(record.id(), brought.trial()), annotation.note(), annotation.tags()),
        Objects.requireNonNullElseGet(annotation.changedAt(), services.clock()::now));
  }

  private Future<Void> append(List<MetricPoint> points) {
    return AsyncLoop.iterate(
        0,
        from -> {
          if (from >= points.size()) {
            return Future.succeededFuture(Optional.empty());
          }
          int to = Math.min(points.size(), from + APPENDED_AT_ONCE);
          return services
              .bus()
              .request(Metrics.APPEND, new Metrics.Append(points.subList(from, to)))
              .map(Optional.of(to));
        });
  }
}
