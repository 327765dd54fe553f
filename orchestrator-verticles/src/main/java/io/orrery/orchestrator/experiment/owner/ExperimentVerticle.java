package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.lease.Lease;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.status.Statuses;
import io.orrery.orchestrator.submission.Submissions;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of an experiment. All its events are handled on this verticle's event loop: the
 * {@link ExperimentModel} decides at once, {@link StateWriter} makes the changes durable, and the
 * decisions are carried out.
 */
final class ExperimentVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentVerticle.class);

  /** Pause before something that failed for a passing reason is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** After which taking up goes on in the background. */
  private static final Duration TAKEN_UP_WITHIN = Duration.ofSeconds(1);

  private final ExperimentServices services;
  private final ExperimentId id;
  private final Lease lease;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final TunerClient tuner;
  private final AssessorClient assessor;
  private final AttemptDispatcher attempts;
  private final ResultCollector reports;
  private final WakeTimer alarm;
  private final PlatformTakeUp platform;

  private @Nullable ExperimentModel model;
  private @Nullable StateWriter writer;
  private @Nullable ParameterSetHandler sets;
  private @Nullable Results results;
  private boolean stopped;
  private boolean deciding;

  /** What has happened while decisions were carried out. */
  private final Queue<Occurrence> following = new ArrayDeque<>();

  /**
   * @param lease of this experiment: without it, nothing is decided, stored or carried out
   */
  ExperimentVerticle(ExperimentServices whole, ExperimentId id, Lease lease) {
    this.services = whole.under(lease);
    this.id = id;
    this.lease = lease;
    this.experiments = new ExperimentTable(services.store());
    this.trials = new TrialTable(services.store());
    this.tuner =
        new TunerClient(
            services.bus(),
            services.clock(),
            services.leases().shared(),
            id,
            lease.epoch(),
            which -> model().isPresentTuner(which),
            this::happen);
    this.assessor =
        new AssessorClient(
            services.bus(),
            services.clock(),
            tuner::assessor,
            tuner::lost,
            attempt -> mayAct() && model().mayBeAssessed(attempt),
            attempt -> model().parameterId(attempt),
            this::happen);
    this.attempts =
        new AttemptDispatcher(
            services,
            this::mayAct,
            attempt -> mayAct() && model().isSubmitted(attempt),
            this::isMoving,
            this::happen);
    this.reports =
        new ResultCollector(
            services.bus(),
            services.clock(),
            services.leases().shared(),
            this::isMoving,
            this::happen);
    this.alarm = new WakeTimer(services.clock(), () -> happen(new Occurrence.Woken()));
    this.platform = new PlatformTakeUp(services, id, new Self());
  }

  /** The part of this owner that taking up the platform needs. */
  private final class Self implements PlatformTakeUp.Owner {
    @Override
    public ExperimentModel model() {
      return ExperimentVerticle.this.model();
    }

    @Override
    public boolean isStopped() {
      return stopped;
    }

    @Override
    public void happen(Occurrence occurrence) {
      ExperimentVerticle.this.happen(occurrence);
    }

    @Override
    public void adopted(List<AttemptRef> attempts) {
      if (model().spec().search().assessor() != null) {
        assessor.takeUp(attempts);
      }
    }
  }

  private boolean isMoving(AttemptRef attempt) {
    return mayAct() && model().isMoving(attempt);
  }

  private boolean mayAct() {
    return !stopped && lease.held();
  }

  private Bus bus() {
    return services.bus();
  }

  private ExperimentModel model() {
    return Objects.requireNonNull(model, "not started");
  }

  private StateWriter writer() {
    return Objects.requireNonNull(writer, "not started");
  }

  private Results results() {
    return Objects.requireNonNull(results, "not started");
  }

  // ---- opening -------------------------------------------------------------------------------

  @Override
  public Future<?> start() {
    services.tenures().begin(id, lease);
    return Owners.stored(experiments, id)
        .compose(record -> trials.moving(id).compose(moving -> own(record, moving)))
        .compose(served -> soon(takeUp()))
        .onFailure(failure -> services.tenures().end(id, lease));
  }

  /** Completes within the timeout of a creation, however long the platform takes. */
  private Future<Void> soon(Future<?> takenUp) {
    Promise<Void> answered = Promise.promise();
    Clock.Timer late = services.clock().after(TAKEN_UP_WITHIN, answered::tryComplete);
    takenUp.onComplete((done, failure) -> {
      late.cancel();
      if (failure == null) {
        answered.tryComplete();
      } else if (!answered.tryFail(failure)) {
        LOG.error("could not take up experiment {}", id, failure);
      }
    });
    return answered.future();
  }

  private Future<?> own(ExperimentRecord record, List<TrialState> moving) {
    ExperimentModel owned = new ExperimentModel(record, moving);
    StateWriter writes =
        new StateWriter(
            bus(),
            services.store(),
            services.clock(),
            lease,
            owned,
            record,
            new StateWriter.Committed() {
              @Override
              public void carryOut(Decision.AfterCommit decision) {
                ExperimentVerticle.this.carryOut(decision);
              }

              @Override
              public void plansAreDurable(List<TrialId> planned) {
                happen(new Occurrence.Committed(planned));
              }
            });
    ParameterSetHandler asked = new ParameterSetHandler(services.clock(), owned, this::happen);
    model = owned;
    writer = writes;
    sets = asked;
    results =
        new Results(services, id, owned, writes, trials, reports, this::happen, this::happenFor);
    return Future.all(
        serve(),
        attempts.open(record, owned, lease.epoch()),
        bus().serve(Trials.NEXT.of(Owners.place(id, lease.epoch())), asked::ask),
        new CommandHandler(
                vertx,
                services,
                id,
                Owners.place(id, lease.epoch()),
                trials,
                owned,
                writes,
                this::happenFor)
            .serve());
  }

  private Future<?> serve() {
    bus().listen(Metrics.STORED.of(id), this::stored);
    return Future.all(
        bus()
            .serve(
                Statuses.CHANGED.of(id),
                changed -> {
                  happen(new Occurrence.Platform(changed.event()));
                  return Future.succeededFuture(new Statuses.Noted());
                }),
        bus()
            .serve(
                Submissions.RETURNED.of(id),
                returned -> {
                  attempts.returned(returned);
                  return Future.succeededFuture(new Submissions.Done());
                }),
        bus()
            .serve(
                Submissions.REFUSED.of(id),
                refused -> {
                  happen(new Occurrence.NotSubmitted(refused.attempt(), refused.reason()));
                  if (refused.toAll()) {
                    happen(new Occurrence.PlatformFailed(refused.reason()));
                  }
                  return Future.succeededFuture(new Submissions.Done());
                }),
        bus()
            .serve(
                Owners.LATE.of(Owners.place(id, lease.epoch())),
                late -> results().late(late.point()).map(new Owners.Noted())));
  }

  /** Asks the platform what became of the trials that were moving when the server went away. */
  private Future<?> takeUp() {
    List<TrialState> before =
        model().moving().stream().filter(trial -> trial.phase() != Phase.SETTLING).toList();
    happen(new Occurrence.Opened());
    results().lookAgain();
    return platform.begin(before);
  }

  // ---- what happens --------------------------------------------------------------------------

  /** What a decision brings about while it is carried out happens after all of them have been. */
  private void happen(Occurrence occurrence) {
    if (deciding) {
      following.add(occurrence);
      return;
    }
    deciding = true;
    try {
      for (Occurrence next = occurrence; next != null && mayAct(); next = following.poll()) {
        decide(next);
      }
    } finally {
      deciding = false;
    }
    if (mayAct()) {
      attempts.settle();
      writer().flush();
      alarm.set(model().nextWake(services.clock().now()).orElse(null));
    }
  }

  private void decide(Occurrence occurrence) {
    for (Decision decision : model().decide(occurrence, services.clock().now())) {
      switch (decision) {
        case Decision.AtOnce now -> carryOut(now);
        case Decision.AfterCommit later -> writer().afterCommit(later);
      }
    }
  }

  /** The same for a user, who waits until it is durable. */
  private Future<Void> happenFor(Occurrence occurrence) {
    if (!lease.held()) {
      return Future.failedFuture(
          new Problem.Busy("experiment " + id + " goes to another server", PAUSE).toException());
    }
    try {
      happen(occurrence);
    } catch (ProblemException refused) {
      return Future.failedFuture(refused);
    }
    return writer().durable();
  }

  private void stored(Metrics.Stored batch) {
    if (model().spec().search().assessor() != null) {
      assessor.stored(batch.points());
    }
    results().stored(batch.points());
  }

  // ---- carrying out --------------------------------------------------------------------------

  private void carryOut(Decision.AtOnce decision) {
    switch (decision) {
      case Decision.Ask ask -> tuner.ask(ask);
      case Decision.Submit submit -> attempts.submit(submit);
      case Decision.Withdraw(AttemptRef attempt) ->
          attempts.withdraw(attempt, model().spec().job().trainingService().platform());
      case Decision.ReadStderr(AttemptRef attempt) ->
          attempts.readStderr(attempt, model().spec().job().trainingService().platform());
      case Decision.CollectResult(AttemptRef attempt, Duration delay) ->
          reports.collect(attempt, delay);
      case Decision.CollectLatest(AttemptRef attempt) -> reports.collectLatest(attempt);
      case Decision.Tell tell -> tuner.tell(tell);
    }
  }

  private void carryOut(Decision.AfterCommit decision) {
    switch (decision) {
      case Decision.OpenTuner open -> tuner.open(open);
      case Decision.GiveSet given -> Objects.requireNonNull(sets).give(given);
      case Decision.CancelAttempt(AttemptRef attempt) ->
          attempts.cancel(attempt, model().spec().job().trainingService().platform());
      case Decision.FindBest() -> results().findBest();
      case Decision.Retire() -> retire();
    }
  }

  private void retire() {
    if (!stopped) {
      bus()
          .request(Owners.RETIRE, new Owners.Retire(id))
          .onFailure(
              failure -> LOG.warn("could not close the owner of experiment {}", id, failure));
    }
  }

  /** Decides nothing more; what was decided is made durable, while that is for us to do. */
  @Override
  public Future<?> stop() {
    stopped = true;
    alarm.cancel();
    attempts.close(lease.held());
    tuner.close();
    if (sets != null) {
      sets.close();
    }
    if (results != null) {
      results.close();
    }
    services.tenures().end(id, lease);
    if (writer == null) {
      return Future.succeededFuture();
    }
    return lease.held() ? writer.close() : platform.leave();
  }
}
