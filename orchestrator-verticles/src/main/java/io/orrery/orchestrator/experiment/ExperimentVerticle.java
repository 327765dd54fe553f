package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Statement;
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
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * event loop, the {@link ExperimentModel} decides at once, and what it changed is stored in a
 * pipeline: at most one write is on its way, and whatever happens meanwhile gathers for the next.
 * So many decisions cost one fsync, and a write that fails is simply made again, together with what
 * came after it.
 */
final class ExperimentVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ExperimentVerticle.class);

  /** Pause before something that failed for a passing reason is tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** A tuner that cannot answer is asked again this many times. */
  private static final int TUNER_PATIENCE = 5;

  /** What the owner of an experiment needs of the house. */
  record House(Bus bus, Store store, Platforms platforms, Clock clock) {}

  private final House house;
  private final ExperimentId id;
  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final ExperimentRecord origin;

  private @Nullable ExperimentModel model;
  private ExperimentSpec storedSpec;
  private boolean writing;
  private List<Decision> afterCommit = new ArrayList<>();
  private List<Promise<Void>> waiters = new ArrayList<>();
  private Clock.@Nullable Timer alarm;
  private @Nullable Instant alarmAt;

  ExperimentVerticle(House house, ExperimentRecord record) {
    this.house = house;
    this.id = record.id();
    this.experiments = new ExperimentTable(house.store());
    this.trials = new TrialTable(house.store());
    this.origin = record;
    this.storedSpec = record.spec();
  }

  private Bus bus() {
    return house.bus();
  }

  private ExperimentModel model() {
    return Objects.requireNonNull(model, "not started");
  }

  // ---- opening -------------------------------------------------------------------------------

  @Override
  public Future<?> start() {
    return trials
        .moving(id)
        .compose(moving -> {
          model = new ExperimentModel(origin, moving);
          return serve();
        })
        .compose(served -> takeUp());
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
            bus().serve(Trials.ADD.of(id), this::add),
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
        .onSuccess(
            unknown -> unknown.forEach(attempt -> happen(new Occurrence.NotAdopted(attempt))))
        .mapEmpty();
  }

  private Future<TrainingService> platform() {
    return house.platforms().service(model().spec().trainingService().platform());
  }

  // ---- what happens --------------------------------------------------------------------------

  private void happen(Occurrence occurrence) {
    for (Decision decision : model().decide(occurrence, house.clock().now())) {
      switch (decision) {
        case Decision.AtOnce now -> carryOut(now);
        case Decision.AfterCommit later -> afterCommit.add(later);
      }
    }
    flush();
    setAlarm();
  }

  /** The same for a user, who waits until it is durable. */
  private Future<Void> happenFor(Occurrence occurrence) {
    Promise<Void> durable = Promise.promise();
    try {
      happen(occurrence);
    } catch (ProblemException refused) {
      return Future.failedFuture(refused);
    }
    if (writing || model().hasChanges()) {
      waiters.add(durable);
      return durable.future();
    }
    return Future.succeededFuture();
  }

  private void stored(Metrics.Stored batch) {
    for (MetricPoint point : batch.points()) {
      TrialId trial = point.attempt().trial().trial();
      if (point.kind() == MetricKind.FINAL && model().moving(trial).isEmpty()) {
        late(point);
      }
    }
  }

  /** A final result for a trial that has settled: news only when the table does not have it yet. */
  private void late(MetricPoint point) {
    AttemptRef attempt = point.attempt();
    trials
        .find(attempt.trial())
        .onSuccess(found ->
            found
                .filter(trial -> trial.phase() == Phase.SETTLED)
                .filter(trial -> trial.attempt().equals(attempt))
                .filter(trial -> !point.value().equals(trial.metric()))
                .filter(trial -> model().moving(attempt.trial().trial()).isEmpty())
                .ifPresent(trial -> happen(new Occurrence.LateResult(trial, point.value()))))
        .onFailure(failure -> LOG.warn("a late result of {} was not read", attempt, failure));
  }

  // ---- storing -------------------------------------------------------------------------------

  private void flush() {
    if (writing) {
      return;
    }
    Changes changes = model().takeChanges();
    List<Decision> decided = afterCommit;
    List<Promise<Void>> waiting = waiters;
    afterCommit = new ArrayList<>();
    waiters = new ArrayList<>();
    if (changes.isEmpty()) {
      release(decided, waiting);
      return;
    }
    writing = true;
    write(new Commit(changes, decided, waiting));
  }

  private record Commit(Changes changes, List<Decision> decided, List<Promise<Void>> waiting) {}

  private void write(Commit commit) {
    ExperimentRecord record = model().record(house.clock().now());
    boolean specChanged = !record.spec().equals(storedSpec);
    List<Statement> statements = new ArrayList<>();
    commit.changes().withdrawn().forEach(trial -> statements.add(trials.delete(trial)));
    commit.changes().trials().forEach(trial -> statements.add(trials.save(trial)));
    statements.add(experiments.update(record, specChanged));
    List<Trial> views = commit.changes().trials().stream().map(TrialState::view).toList();
    List<TrialId> planned =
        commit.changes().trials().stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    house
        .store()
        .write(statements)
        .onSuccess(durable -> {
          writing = false;
          storedSpec = record.spec();
          publish(record, views, commit.changes().withdrawn());
          release(commit.decided(), commit.waiting());
          happen(new Occurrence.Committed(planned));
        })
        .onFailure(failure -> writeAgain(commit, failure));
  }

  /**
   * What was not stored is stored later, with what has changed since; nothing went out meanwhile.
   */
  private void writeAgain(Commit commit, Throwable failure) {
    LOG.error(
        "experiment {}: its state was not stored, trying again: {}", id, failure.getMessage());
    house
        .clock()
        .after(
            PAUSE,
            () -> {
              Changes changes = model().takeChanges();
              changes.mergeOlder(commit.changes());
              List<Decision> decided = new ArrayList<>(commit.decided());
              decided.addAll(afterCommit);
              List<Promise<Void>> waiting = new ArrayList<>(commit.waiting());
              waiting.addAll(waiters);
              afterCommit = new ArrayList<>();
              waiters = new ArrayList<>();
              write(new Commit(changes, decided, waiting));
            });
  }

  private void release(List<Decision> decided, List<Promise<Void>> waiting) {
    for (Decision decision : decided) {
      if (decision instanceof Decision.AfterCommit later) {
        carryOut(later);
      }
    }
    waiting.forEach(Promise::complete);
  }

  private void publish(ExperimentRecord record, List<Trial> changed, List<TrialRef> withdrawn) {
    var topic = Experiments.EVENTS.of(id);
    withdrawn.forEach(trial -> bus().publish(topic, new ExperimentEvent.TrialWithdrawn(trial)));
    changed.forEach(trial -> bus().publish(topic, new ExperimentEvent.TrialChanged(trial)));
    var news = new ExperimentEvent.Changed(record.view());
    bus().publish(topic, news);
    bus().publish(Experiments.NEWS, news);
  }

  // ---- carrying out --------------------------------------------------------------------------

  private void carryOut(Decision.AtOnce decision) {
    switch (decision) {
      case Decision.Ask ask -> ask(ask, 1);
      case Decision.Submit submit -> submit(submit);
      case Decision.CollectResult(AttemptRef attempt, Duration delay) -> {
        if (delay.isZero()) {
          collect(attempt);
        } else {
          house.clock().after(delay, () -> collect(attempt));
        }
      }
      case Decision.Tell tell -> tell(tell);
    }
  }

  private void carryOut(Decision.AfterCommit decision) {
    switch (decision) {
      case Decision.OpenTuner open -> openTuner(open);
      case Decision.CancelAttempt(AttemptRef attempt) -> cancel(attempt);
      case Decision.Retire() ->
          bus()
              .request(Owners.RETIRE, new Owners.Retire(id))
              .onFailure(failure -> LOG.warn("experiment {} was not put away", id, failure));
    }
  }

  private void openTuner(Decision.OpenTuner open) {
    ExperimentSpec spec = open.spec();
    bus()
        .request(
            Tuners.OPEN,
            new Tuners.Open(
                id,
                spec.tuner(),
                spec.searchSpace(),
                spec.direction(),
                spec.seed(),
                open.throughOrdinal()))
        .onSuccess(opened -> happen(new Occurrence.TunerOpened(open.tuner(), opened.aheadLimit())))
        .onFailure(failure ->
            happen(new Occurrence.TunerFailed(open.tuner(), Problem.of(failure).detail())));
  }

  private void ask(Decision.Ask ask, int attempt) {
    bus()
        .request(Tuners.ASK, new Tuners.Ask(id, ask.count(), ask.firstNumber()))
        .onSuccess(suggestions -> happen(new Occurrence.Suggested(ask.tuner(), suggestions)))
        .onFailure(failure -> {
          boolean passing = Problem.of(failure) instanceof Problem.Busy;
          if (passing || attempt < TUNER_PATIENCE) {
            LOG.warn("experiment {}: the tuner did not answer: {}", id, failure.getMessage());
            house.clock().after(PAUSE, () -> ask(ask, passing ? attempt : attempt + 1));
          } else {
            happen(new Occurrence.TunerFailed(ask.tuner(), Problem.of(failure).detail()));
          }
        });
  }

  private void tell(Decision.Tell tell) {
    bus()
        .request(Tuners.TELL, new Tuners.Tell(id, List.of(tell.settled())))
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.Busy) {
            house.clock().after(PAUSE, () -> tell(tell));
          } else {
            // The tuner is gone or being rebuilt: it reads this result from the history.
            LOG.debug("experiment {}: a result was not told: {}", id, failure.getMessage());
          }
        });
  }

  private void submit(Decision.Submit submit) {
    AttemptRef attempt = submit.submission().attempt();
    bus()
        .request(Submissions.SUBMIT, new Submissions.Submit(submit.submission()))
        .onFailure(failure ->
            happen(
                Problem.of(failure) instanceof Problem.Busy busy
                    ? new Occurrence.Deferred(attempt, busy.detail())
                    : new Occurrence.NotSubmitted(attempt, Problem.of(failure).detail())));
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
    Optional<TrialState> trial = model().moving(attempt.trial().trial());
    if (trial.isPresent() && trial.get().attempt().equals(attempt)) {
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
    return model().record(house.clock().now()).view();
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

  private Future<Void> change(Experiments.Change change) {
    ExperimentSpec before = model().spec();
    return checkSpace(before, LimitsPatch.read(change.patch()).applyTo(before))
        .compose(changed -> happenFor(new Occurrence.SpecChanged(changed)));
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
    Future<Void> durable = happenFor(new Occurrence.TrialAdded(add.parameters()));
    if (durable.failed()) {
      return Future.failedFuture(durable.cause());
    }
    TrialRef added = model().moving().getLast().ref;
    return durable.compose(stored -> trial(added));
  }

  private Future<Trial> cancel(Trials.Cancel cancel) {
    return happenFor(new Occurrence.TrialCancelAsked(cancel.trial().trial()))
        .compose(durable -> trial(cancel.trial()));
  }

  private Future<Trial> retry(Trials.Retry retry) {
    if (model().moving(retry.trial().trial()).isPresent()) {
      return Future.failedFuture(
          new Problem.Conflict("trial " + retry.trial().trial() + " has not ended").toException());
    }
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

  @Override
  public Future<?> stop() {
    if (alarm != null) {
      alarm.cancel();
    }
    return Future.succeededFuture();
  }
}
