package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.TrainingService;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from an experiment to its platform when an owner begins and ends: it prepares the
 * platform, retries while that is busy, adopts the attempts that were moving before, and releases
 * them when another server is to own the experiment.
 */
final class PlatformTakeUp {
  private static final Logger LOG = LoggerFactory.getLogger(PlatformTakeUp.class);

  private final ExperimentServices services;
  private final ExperimentId id;
  private final Owner owner;

  /** The owner of the experiment, as far as taking up the platform asks it and tells it. */
  interface Owner {
    ExperimentModel model();

    boolean isStopped();

    void happen(Occurrence occurrence);

    /** The platform has adopted the attempts that it knows of these. */
    void adopted(List<AttemptRef> attempts);
  }

  PlatformTakeUp(ExperimentServices services, ExperimentId id, Owner owner) {
    this.services = services;
    this.id = id;
    this.owner = owner;
  }

  /**
   * Takes up the platform; completes also when that is busy and is asked again later.
   *
   * @param before the trials that were moving when the experiment had its last owner
   */
  Future<Void> begin(List<TrialState> before) {
    return platform().compose(service -> prepare(service, before)).recover(this::failed);
  }

  /** Releases the attempts, which another server owns from now on. */
  Future<?> leave() {
    return platform()
        .compose(service -> service.leave(id))
        .onFailure(
            failure -> LOG.warn("could not release the attempts of experiment {}", id, failure));
  }

  private Future<TrainingService> platform() {
    return services.platforms().service(owner.model().spec().job().trainingService().platform());
  }

  /**
   * A platform that is busy or away is asked again, for as long as it takes; commands are taken
   * meanwhile, and users are told what the experiment waits for.
   */
  private Future<Void> prepare(TrainingService service, List<TrialState> before) {
    ExperimentSpec spec = owner.model().spec();
    return service
        .prepare(id, spec.job(), spec.search())
        .map(ready -> {
          delayed(null);
          return true;
        })
        .recover(failure -> {
          if (Problem.of(failure) instanceof Problem.Busy busy) {
            LOG.warn("experiment {}: its platform is asked again: {}", id, busy.detail());
            delayed(busy.detail());
            services.clock().after(busy.retryAfter(), () -> prepareAgain(service, before));
            return Future.succeededFuture(false);
          }
          // It starts nothing more; the attempts that run are adopted all the same.
          owner.happen(new Occurrence.PlatformFailed(Problem.of(failure).detail()));
          return Future.succeededFuture(true);
        })
        .compose(decided -> decided ? adopt(service, before) : Future.succeededFuture());
  }

  private void prepareAgain(TrainingService service, List<TrialState> before) {
    if (!owner.isStopped()) {
      prepare(
              service,
              before.stream().filter(trial -> owner.model().isMoving(trial.attempt())).toList())
          .recover(this::failed);
    }
  }

  private Future<Void> failed(Throwable failure) {
    LOG.error("could not prepare the platform of experiment {}", id, failure);
    owner.happen(new Occurrence.PlatformFailed(Problem.of(failure).detail()));
    return Future.succeededFuture();
  }

  private void delayed(@Nullable String why) {
    owner.happen(new Occurrence.Delayed(Occurrence.Delayer.PLATFORM, why));
  }

  private Future<Void> adopt(TrainingService service, List<TrialState> before) {
    return service
        .adopt(before.stream().map(trial -> trial.submission(owner.model().spec().job())).toList())
        .onSuccess(unknown -> {
          unknown.forEach(attempt -> owner.happen(new Occurrence.NotAdopted(attempt)));
          owner.adopted(before.stream().map(TrialState::attempt).toList());
        })
        .mapEmpty();
  }
}
