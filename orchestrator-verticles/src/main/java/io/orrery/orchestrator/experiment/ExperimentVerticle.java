package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.orrery.orchestrator.platform.Platforms;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.spec.LimitsPatch;
import io.orrery.orchestrator.status.Statuses;
import io.orrery.orchestrator.submission.Submissions;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of an experiment. Everything that happens to it comes home to this verticle's
 * event loop, the {@link ExperimentModel} decides at once, {@link StateWriter} makes durable what
 * it changed, and what it decided is carried out.
 */
final class ExperimentVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentVerticle.class);

  /** Pause before something that failed for a passing reason is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Thinned out to so many points, a series is its first and its last. */
  private static final int FIRST_AND_LAST = 2;

  /** A submission whose outcome is unknown is repeated this many times. */
  private static final int SUBMISSIONS = 5;

  /** What the owner of an experiment needs of the house. */
  record House(Bus bus, Store store, Platforms platforms, Clock clock) {}

  private final House house;
  private final ExperimentId id;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final TunerLine tuner;
  private final AssessorLine assessor;

  private @Nullable ExperimentModel model;
  private @Nullable StateWriter writer;
  private Clock.@Nullable Timer alarm;
  private @Nullable Instant alarmAt;
  private boolean stopped;
  private Future<Void> lastImport = Future.succeededFuture();

  ExperimentVerticle(House house, ExperimentId id) {
    this.house = house;
    this.id = id;
    this.experiments = new ExperimentTable(house.store());
    this.trials = new TrialTable(house.store());
    this.tuner = new TunerLine(house, id, which -> model().isPresentTuner(which), this::happen);
    this.assessor =
        new AssessorLine(
            house.bus(),
            house.clock(),
            attempt -> !stopped && model().mayBeAssessed(attempt),
            this::happen);
  }

  private Bus bus() {
    return house.bus();
  }

  private ExperimentModel model() {
    return Objects.requireNonNull(model, "not started");
  }

  private StateWriter writer() {
    return Objects.requireNonNull(writer, "not started");
  }

  // ---- opening -------------------------------------------------------------------------------

  @Override
  public Future<?> start() {
    return experiments
        .find(id)
        .compose(found ->
            found.isPresent()
                ? Future.succeededFuture(found.get())
                : Future.failedFuture(Owners.noExperiment(id)))
        .compose(record -> trials.moving(id).compose(moving -> own(record, moving)))
        .compose(served -> takeUp());
  }

  private Future<?> own(ExperimentRecord record, List<TrialState> moving) {
    ExperimentModel owned = new ExperimentModel(record, moving);
    model = owned;
    writer =
        new StateWriter(
            house,
            owned,
            record,
            trials,
            experiments,
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
    return serve();
  }

  private Future<?> serve() {
    bus().listen(Metrics.STORED.of(id), this::stored);
    return Future.all(
        List.of(
            bus()
                .serve(
                    Statuses.CHANGED.of(id),
                    changed -> {
                      happen(new Occurrence.Platform(changed.event()));
                      return Future.succeededFuture(new Statuses.Noted());
                    }),
            serve(Experiments.COMMAND, this::command, this::view),
            serve(Experiments.CHANGE, this::change, this::view),
            bus().serve(Owners.LATE.of(id), late -> late(late.point()).map(new Owners.Noted())),
            bus().serve(Trials.ADD.of(id), this::add),
            bus().serve(Trials.IMPORT.of(id), this::take),
            bus().serve(Trials.CANCEL.of(id), this::cancel),
            bus().serve(Trials.RETRY.of(id), this::retry)));
  }

  private <Q, A> Future<?> serve(
      Address<Q, A> address, Function<Q, Future<Void>> act, Supplier<A> answer) {
    return bus().serve(address.of(id), question -> act.apply(question).map(done -> answer.get()));
  }

  /** Asks the platform what became of the trials that were moving when the server went away. */
  private Future<?> takeUp() {
    List<TrialState> before =
        model().moving().stream().filter(trial -> trial.phase() != Phase.SETTLING).toList();
    happen(new Occurrence.Opened());
    return platform()
        .compose(service -> prepare(service).compose(ready -> adopt(service, before)))
        .recover(failure -> {
          LOG.error("experiment {}: its platform cannot take it up", id, failure);
          happen(new Occurrence.PlatformFailed(Problem.of(failure).detail()));
          return Future.succeededFuture();
        });
  }

  /**
   * What cannot be prepared starts nothing more; what runs already is looked after all the same.
   */
  private Future<Void> prepare(TrainingService service) {
    return service
        .prepare(id, model().spec())
        .recover(failure -> {
          happen(new Occurrence.PlatformFailed(Problem.of(failure).detail()));
          return Future.succeededFuture();
        });
  }

  private Future<Void> adopt(TrainingService service, List<TrialState> before) {
    return service
        .adopt(before.stream().map(trial -> trial.submission(model().spec())).toList())
        .onSuccess(unknown -> {
          unknown.forEach(attempt -> happen(new Occurrence.NotAdopted(attempt)));
          if (model().spec().assessor() != null) {
            assessor.takeUp(before.stream().map(TrialState::attempt).toList());
          }
        })
        .mapEmpty();
  }

  private Future<TrainingService> platform() {
    return house.platforms().service(model().spec().trainingService().platform());
  }

  // ---- what happens --------------------------------------------------------------------------

  private void happen(Occurrence occurrence) {
    if (stopped) {
      return;
    }
    for (Decision decision : model().decide(occurrence, house.clock().now())) {
      switch (decision) {
        case Decision.AtOnce now -> carryOut(now);
        case Decision.AfterCommit later -> writer().afterCommit(later);
      }
    }
    writer().flush();
    setAlarm();
  }

  /** The same for a user, who waits until it is durable. */
  private Future<Void> happenFor(Occurrence occurrence) {
    try {
      happen(occurrence);
    } catch (ProblemException refused) {
      return Future.failedFuture(refused);
    }
    return writer().durable();
  }

  private void stored(Metrics.Stored batch) {
    if (model().spec().assessor() != null) {
      assessor.stored(batch.points());
    }
    for (MetricPoint point : batch.points()) {
      TrialId trial = point.attempt().trial().trial();
      if (point.kind() == MetricKind.FINAL && model().moving(trial).isEmpty()) {
        late(point);
      }
    }
  }

  /**
   * A final result for a trial that has settled: news only when the table does not have it yet,
   * which is looked at when its end is durable.
   */
  private Future<Void> late(MetricPoint point) {
    AttemptRef attempt = point.attempt();
    return writer()
        .durable()
        .compose(durable -> trials.find(attempt.trial()))
        .compose(found -> {
          Optional<TrialState> news =
              found
                  .filter(trial -> trial.phase() == Phase.SETTLED)
                  .filter(trial -> trial.attempt().equals(attempt))
                  .filter(trial -> !point.value().equals(trial.metric()))
                  .filter(trial -> model().moving(attempt.trial().trial()).isEmpty());
          return news.isEmpty()
              ? Future.<Void>succeededFuture()
              : happenFor(new Occurrence.LateResult(news.get(), point.value()));
        })
        .onFailure(failure -> LOG.warn("a late result of {} was not taken", attempt, failure));
  }

  // ---- carrying out --------------------------------------------------------------------------

  private void carryOut(Decision.AtOnce decision) {
    switch (decision) {
      case Decision.Ask ask -> tuner.ask(ask);
      case Decision.Submit submit -> submit(submit, 1);
      case Decision.CollectResult(AttemptRef attempt, Duration delay) -> {
        if (delay.isZero()) {
          collect(attempt);
        } else {
          house.clock().after(delay, () -> collect(attempt));
        }
      }
      case Decision.CollectLatest(AttemptRef attempt) -> collectLatest(attempt);
      case Decision.Tell tell -> tuner.tell(tell);
    }
  }

  private void carryOut(Decision.AfterCommit decision) {
    switch (decision) {
      case Decision.OpenTuner open -> tuner.open(open);
      case Decision.CancelAttempt(AttemptRef attempt) -> cancel(attempt);
      case Decision.FindBest() -> findBest();
      case Decision.Retire() -> retire();
    }
  }

  private void submit(Decision.Submit submit, int time) {
    AttemptRef attempt = submit.submission().attempt();
    bus()
        .request(Submissions.SUBMIT, new Submissions.Submit(submit.submission()))
        .onFailure(failure -> {
          Problem problem = Problem.of(failure);
          switch (problem) {
            case Problem.Busy busy -> happen(new Occurrence.Deferred(attempt, busy.detail()));
            case Problem.Broken broken when time < SUBMISSIONS -> {
              // Perhaps it was taken: who repeats a submission finds the first.
              LOG.warn("{} was not submitted, trying again: {}", attempt, broken.detail());
              house.clock().after(PAUSE, () -> submitAgain(submit, time + 1));
            }
            case Problem.Broken _,
                Problem.Refused _,
                Problem.NotFound _,
                Problem.Conflict _,
                Problem.Unauthorized _,
                Problem.Forbidden _,
                Problem.TooLarge _ ->
                happen(new Occurrence.NotSubmitted(attempt, problem.detail()));
          }
        });
  }

  private void submitAgain(Decision.Submit submit, int time) {
    AttemptRef attempt = submit.submission().attempt();
    boolean waiting =
        model()
            .moving(attempt.trial().trial())
            .filter(trial -> trial.attempt().equals(attempt))
            .filter(trial -> trial.phase() == Phase.SUBMITTED)
            .isPresent();
    if (waiting && !stopped) {
      submit(submit, time);
    }
  }

  private void retire() {
    if (!stopped) {
      bus()
          .request(Owners.RETIRE, new Owners.Retire(id))
          .onFailure(failure -> LOG.warn("experiment {} was not put away", id, failure));
    }
  }

  private void findBest() {
    trials
        .best(id, model().spec().direction())
        .onSuccess(best -> happen(new Occurrence.BestFound(best.orElse(null))))
        .onFailure(failure -> {
          LOG.warn("experiment {}: its best trial was not looked up, trying again", id, failure);
          house.clock().after(PAUSE, this::findBest);
        });
  }

  private void collect(AttemptRef attempt) {
    bus()
        .request(Metrics.FINAL, new Metrics.FinalOf(attempt))
        .onSuccess(answer -> {
          MetricPoint point = answer.point();
          happen(new Occurrence.ResultCollected(attempt, point == null ? null : point.value()));
        })
        .onFailure(failure -> {
          LOG.warn("the result of {} was not read, trying again", attempt, failure);
          house.clock().after(PAUSE, () -> collect(attempt));
        });
  }

  private void collectLatest(AttemptRef attempt) {
    bus()
        .request(Metrics.SERIES, new Metrics.SeriesOf(attempt.trial(), FIRST_AND_LAST, null))
        .onSuccess(series -> {
          MetricValue latest =
              series.points().stream()
                  .filter(point -> point.attempt().equals(attempt))
                  .reduce((before, after) -> after)
                  .map(MetricPoint::value)
                  .orElse(null);
          happen(new Occurrence.ResultCollected(attempt, latest));
        })
        .onFailure(failure -> {
          LOG.warn("the last report of {} was not read, trying again", attempt, failure);
          house.clock().after(PAUSE, () -> collectLatest(attempt));
        });
  }

  private void cancel(AttemptRef attempt) {
    String platform = model().spec().trainingService().platform();
    bus()
        .request(Submissions.CANCEL, new Submissions.Cancel(platform, attempt))
        .onFailure(failure -> {
          LOG.warn("{} was not ended, trying again: {}", attempt, failure.getMessage());
          house.clock().after(PAUSE, () -> cancelAgain(attempt));
        });
  }

  private void cancelAgain(AttemptRef attempt) {
    if (model().isMoving(attempt) && !stopped) {
      cancel(attempt);
    }
  }

  private void setAlarm() {
    Instant now = house.clock().now();
    Instant next = model().nextWake(now).orElse(null);
    if (alarm != null && alarmAt != null && (next == null || next.isBefore(alarmAt))) {
      alarm.cancel();
      alarm = null;
    }
    if (alarm == null && next != null) {
      alarmAt = next;
      alarm =
          house
              .clock()
              .after(
                  Duration.between(now, next).isNegative()
                      ? Duration.ZERO
                      : Duration.between(now, next),
                  () -> {
                    alarm = null;
                    happen(new Occurrence.Woken());
                  });
    }
  }

  // ---- what users ask for --------------------------------------------------------------------

  private Experiment view() {
    Instant now = house.clock().now();
    return model().record(now).view(now);
  }

  private Future<Void> command(Experiments.Command command) {
    return switch (command.action()) {
      case STOP -> happenFor(new Occurrence.StopAsked());
      case PAUSE -> happenFor(new Occurrence.PauseAsked());
      case RESUME -> happenFor(new Occurrence.ResumeAsked());
      case DELETE ->
          Future.failedFuture(
              new Problem.Broken("deleting is the directory's business").toException());
    };
  }

  /** The patch is applied when it has been checked, to what is asked for by then. */
  private Future<Void> change(Experiments.Change change) {
    LimitsPatch patch = LimitsPatch.read(change.patch());
    ExperimentSpec before = model().spec();
    return checkSpace(before, patch.applyTo(before))
        .compose(checked -> happenFor(new Occurrence.SpecChanged(patch.applyTo(model().spec()))));
  }

  private Future<ExperimentSpec> checkSpace(ExperimentSpec before, ExperimentSpec changed) {
    if (changed.searchSpace().equals(before.searchSpace())) {
      return Future.succeededFuture(changed);
    }
    return bus()
        .request(Tuners.CHECK, new Tuners.Check("tuner", changed.tuner(), changed.searchSpace()))
        .compose(checked ->
            checked.findings().isEmpty()
                ? Future.succeededFuture(changed)
                : Future.failedFuture(Problem.Refused.of(checked.findings()).toException()));
  }

  private Future<Trial> add(Trials.Add add) {
    model().spec().parameterShape().require(add.parameters().values());
    Future<Void> durable = happenFor(new Occurrence.TrialAdded(add.parameters()));
    if (durable.failed()) {
      return Future.failedFuture(durable.cause());
    }
    TrialRef added = model().moving().getLast().ref;
    return durable.compose(stored -> trial(added));
  }

  /** One import after the other: the next must find in the table what this one brought. */
  private Future<Trials.Imported> take(Trials.Import wanted) {
    Future<Trials.Imported> taken =
        lastImport.compose(before -> writer().durable()).compose(durable -> takeNow(wanted));
    lastImport = taken.<Void>mapEmpty().otherwiseEmpty();
    return taken;
  }

  private Future<Trials.Imported> takeNow(Trials.Import wanted) {
    ParameterShape shape = model().spec().parameterShape();
    return vertx
        .executeBlocking(() -> ImportedResults.read(wanted.document(), shape))
        .compose(read ->
            trials
                .results(id)
                .compose(known -> {
                  List<ImportedResult> fresh = read.without(known);
                  int duplicates = read.all().size() - fresh.size();
                  return happenFor(new Occurrence.ResultsImported(fresh))
                      .map(new Trials.Imported(fresh.size(), duplicates, read.notices()));
                }));
  }

  private Future<Trial> cancel(Trials.Cancel cancel) {
    return happenFor(new Occurrence.TrialCancelAsked(cancel.trial().trial()))
        .compose(durable -> trial(cancel.trial()));
  }

  private Future<Trial> retry(Trials.Retry retry) {
    return trials
        .find(retry.trial())
        .compose(found ->
            found
                .map(trial -> happenFor(new Occurrence.TrialRetryAsked(trial)))
                .orElseGet(() -> Future.failedFuture(Owners.noTrial(retry.trial()))))
        .compose(durable -> trial(retry.trial()));
  }

  private Future<Trial> trial(TrialRef ref) {
    return model()
        .moving(ref.trial())
        .map(trial -> Future.succeededFuture(trial.view()))
        .orElseGet(() ->
            trials
                .find(ref)
                .compose(found ->
                    found
                        .map(trial -> Future.succeededFuture(trial.view()))
                        .orElseGet(() -> Future.failedFuture(Owners.noTrial(ref)))));
  }

  /** Decides nothing more; what was decided is made durable. */
  @Override
  public Future<?> stop() {
    stopped = true;
    if (alarm != null) {
      alarm.cancel();
    }
    return writer == null ? Future.succeededFuture() : writer.close();
  }
}
