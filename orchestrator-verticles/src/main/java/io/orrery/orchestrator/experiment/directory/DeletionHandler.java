package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Statement;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.owner.ExperimentServices;
import io.orrery.orchestrator.experiment.owner.OwnedExperiments;
import io.orrery.orchestrator.experiment.owner.Owners;
import io.orrery.orchestrator.experiment.store.AnnotationTable;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.SourceTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes experiments that are over, with their files, points and trials. */
final class DeletionHandler {
  private static final long DELETED_AT_ONCE = 2_000;

  private final ExperimentServices services;
  private final OwnedExperiments owned;
  private final ExperimentTable experiments;
  private final TrialTable trials;

  DeletionHandler(
      ExperimentServices services,
      OwnedExperiments owned,
      ExperimentTable experiments,
      TrialTable trials) {
    this.services = services;
    this.owned = owned;
    this.experiments = experiments;
    this.trials = trials;
  }

  /** Puts the owner away first, and looks then: the experiment cannot change any more. */
  Future<Experiments.Deleted> delete(Experiments.Delete wanted) {
    ExperimentId id = wanted.id();
    return record(id)
        .compose(record -> {
          if (!record.over()) {
            return Future.failedFuture(notOver(record));
          }
          return owned.whileUnowned(
              id,
              owned.putAway(id),
              () ->
                  record(id)
                      .compose(now ->
                          now.over()
                              ? forget(now).map(left -> new Experiments.Deleted(view(now), left))
                              : Future.failedFuture(notOver(now))));
        });
  }

  private static ProblemException notOver(ExperimentRecord record) {
    String what =
        record.status().isFinal()
            ? ", and its trials are still being ended: delete it once they have"
            : ": stop it before deleting it";
    return new Problem.Conflict("the experiment is " + record.status() + what).toException();
  }

  /**
   * Files and points first: after a crash in between the experiment is there to be deleted again.
   * The rows go in groups, so that others who write wait for one group at most.
   *
   * @return what may be left on its platform
   */
  private Future<List<String>> forget(ExperimentRecord record) {
    ExperimentId id = record.id();
    return services
        .platforms()
        .service(record.spec().job().trainingService().platform())
        .compose(service -> service.remove(id))
        .compose(left -> forgetData(record).map(left))
        .onSuccess(gone -> {
          var news = new ExperimentEvent.Deleted(id, record.ownership());
          services.bus().publish(Experiments.EVENTS.of(id), news);
          services.bus().publish(Experiments.NEWS, news);
        });
  }

  private Future<Void> forgetData(ExperimentRecord record) {
    return services
        .bus()
        .request(Metrics.FORGET, new Metrics.Forget(record.id()))
        .compose(forgotten -> forgetTrials(record))
        .compose(forgotten -> {
          List<Statement> last = new ArrayList<>(AnnotationTable.delete(record.id()));
          last.add(SourceTable.delete(record.id()));
          last.add(experiments.delete(record.id()));
          return services.store().write(last);
        });
  }

  private Future<Void> forgetTrials(ExperimentRecord record) {
    return AsyncLoop.iterate(
        DELETED_AT_ONCE,
        before ->
            services
                .store()
                .write(trials.deleteBefore(record.id(), before))
                .map(deleted ->
                    before >= record.nextSequence()
                        ? Optional.empty()
                        : Optional.of(before + DELETED_AT_ONCE)));
  }

  private Future<ExperimentRecord> record(ExperimentId id) {
    return Owners.stored(experiments, id);
  }

  private Experiment view(ExperimentRecord record) {
    return record.view(services.clock().now());
  }
}
