package io.orrery.orchestrator.experiment.model;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The model of an experiment, which maps each occurrence to decisions. It is pure: no Vert.x, no
 * store, no clock of its own, so that its test reads as the specification and a simulation replays
 * exactly.
 *
 * <p>It holds only trials that still move; what has settled leaves memory for its table, and only
 * sums stay. After each {@link #decide} the owner takes {@link #takeChanges}, stores them, and
 * carries out the decisions: some at once, the others after the commit.
 *
 * <p>This class says what follows what. The file is longer than 400 lines, because that order is
 * what a reader looks for here. {@link ExperimentProgress} is how far the experiment has come,
 * {@link Planning} the way from a suggestion to a submission, {@link FurtherSetRequests} what a
 * running trial is given to try next, {@link TrialEndings} the way to a settled trial, {@link
 * TunerDialogue} the talk with the tuner, {@link UserRequests} what users may ask when.
 *
 * <p><b>Slots and plans.</b> A slot is a trial in flight. Plans are stored before a slot falls
 * free: {@code SUBMIT} of a durable plan is the only decision that touches the outside without a
 * commit of its own, and after a crash the platform is asked about every plan.
 *
 * <p><b>Ends.</b> A process that is over frees its slot; the trial settles when its result has been
 * collected. The experiment is NO_MORE_TRIAL when nothing can be planned any more, and over when
 * nothing moves.
 */
public final class ExperimentModel {
  /** Execution time is stored at least this often, so a crash forgets no more of it. */
  private static final Duration CHECKPOINT = Duration.ofSeconds(10);

  private static final Duration DEFERRAL = Duration.ofSeconds(1);

  private final ExperimentRecord origin;
  private final LiveTrials trials;
  private final Alarms alarms = new Alarms();
  private final Ordinals ordinals;
  private final ExperimentProgress progress;
  private final TunerDialogue tuner;
  private final TrialEndings endings;
  private final Planning planning;
  private final FurtherSetRequests sets;
  private final UserRequests requests;
  private List<Decision> decisions = new ArrayList<>();

  /**
   * @param record the experiment as it was stored
   * @param moving its trials that have not settled, by sequence
   */
  public ExperimentModel(ExperimentRecord record, List<TrialState> moving) {
    this.origin = record;
    this.trials = new LiveTrials(new TrialTally(record.counts(), record.best()), alarms, moving);
    this.ordinals = new Ordinals(record.nextOrdinal());
    this.progress = new ExperimentProgress(record, trials::touchExperiment);
    this.tuner = new TunerDialogue(record.nextNumber(), this::decided);
    this.endings =
        new TrialEndings(progress, trials, tuner, ordinals, FailureCount.of(record), this::decided);
    this.planning =
        new Planning(
            record.id(),
            record.nextSequence(),
            progress,
            trials,
            tuner,
            endings,
            ordinals,
            alarms,
            this::decided);
    this.sets = new FurtherSetRequests(progress, trials, tuner, endings, ordinals, this::decided);
    this.requests = new UserRequests(progress, trials, planning, endings, this::decided);
  }

  private void decided(Decision decision) {
    decisions.add(decision);
  }

  // ---- what the owner sees -------------------------------------------------------------------

  /** Takes what has changed since the last call. */
  public Changes takeChanges() {
    return trials.takeChanges();
  }

  /** Whether {@link #takeChanges} has something to take. */
  public boolean hasChanges() {
    return trials.hasChanges();
  }

  /** Whether a slot may have to wait until {@link #takeChanges} is durable. */
  public boolean awaitsCommit() {
    return planning.awaitsCommit();
  }

  /** Whether {@link #takeChanges} has a trial. */
  public boolean hasChanged(TrialId trial) {
    return trials.hasChanged(trial);
  }

  public ExperimentSpec spec() {
    return progress.spec();
  }

  public ExperimentStatus status() {
    return progress.status();
  }

  /** The trials that have not settled. */
  public List<TrialState> moving() {
    return trials.all();
  }

  /** How many trials take up a slot. */
  public int inFlight() {
    return trials.inFlight();
  }

  public Optional<TrialState> moving(TrialId trial) {
    return trials.find(trial);
  }

  /** Whether an attempt is still its trial's present one, and has not settled. */
  public boolean isMoving(AttemptRef attempt) {
    return trials.current(attempt).isPresent();
  }

  /** Whether the assessor may have a say in an attempt. */
  public boolean mayBeAssessed(AttemptRef attempt) {
    return trials.current(attempt).filter(TrialState::mayBeAssessed).isPresent();
  }

  /** Whether an attempt asked for another set, and the result of the one before is looked up. */
  public boolean awaitsResult(AttemptRef attempt) {
    return trials.current(attempt).filter(sets::awaitsResult).isPresent();
  }

  /** The tuner's number of what an attempt tries; null when a user chose it. */
  public @Nullable String parameterId(AttemptRef attempt) {
    return trials.current(attempt).map(trial -> trial.sets().current().parameterId()).orElse(null);
  }

  /** Whether an attempt is over and its result is being looked up. */
  public boolean isSettling(AttemptRef attempt) {
    return trials.current(attempt).filter(trial -> trial.phase() == Phase.SETTLING).isPresent();
  }

  /** Whether an attempt was handed to its platform, which has not started it yet. */
  public boolean isSubmitted(AttemptRef attempt) {
    return trials.current(attempt).filter(trial -> trial.phase() == Phase.SUBMITTED).isPresent();
  }

  /** Of the next entry in the history. */
  public long nextOrdinal() {
    return ordinals.upcoming();
  }

  /** Whether this is the tuner of now, and not one that was replaced since. */
  public boolean isPresentTuner(int which) {
    return tuner.isPresent(which);
  }

  /** The experiment as it is to be stored. */
  public ExperimentRecord record(Instant now) {
    return new ExperimentRecord(
        origin.id(),
        origin.ownership(),
        progress.spec(),
        progress.status(),
        trials.tally().counts(),
        trials.tally().best().orElse(null),
        planning.nextSequence(),
        ordinals.upcoming(),
        tuner.nextNumber(),
        progress.created(),
        endings.failuresInRow(),
        progress.ran(now),
        progress.timeRuns() ? now : null,
        origin.createdAt(),
        progress.startedAt(),
        progress.endedAt(),
        progress.error());
  }

  /** When the model wants to be woken. */
  public Optional<Instant> nextWake(Instant now) {
    Optional<Instant> next =
        Stream.of(alarms.next(), planning.heldUntil())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    if (!progress.timeRuns()) {
      return next;
    }
    Instant own = earlier(now.plus(CHECKPOINT), progress.deadline(now));
    return Optional.of(earlier(own, next));
  }

  private static Instant earlier(Instant one, Optional<Instant> other) {
    return other.isPresent() && other.get().isBefore(one) ? other.get() : one;
  }

  // ---- deciding ------------------------------------------------------------------------------

  /**
   * Takes in what happened and says what is to be done.
   *
   * @throws io.orrery.core.problem.ProblemException when a user asked for something that the
   *     present state does not allow; nothing has changed then
   */
  public List<Decision> decide(Occurrence occurrence, Instant now) {
    switch (occurrence) {
      case Occurrence.Opened() -> opened(now);
      case Occurrence.TunerOpened(int which, int ahead) -> {
        if (tuner.isPresent(which)) {
          tuner.opened(ahead);
        }
      }
      case Occurrence.Suggested(int which, Tuners.Suggestions suggestions) -> {
        if (tuner.isPresent(which)) {
          suggested(suggestions, now);
        }
      }
      case Occurrence.TunerLost(int which) -> {
        if (tuner.isPresent(which) && progress.goingOn()) {
          planning.openTuner();
        }
      }
      case Occurrence.TunerFailed(int which, String reason) -> {
        if (tuner.isPresent(which)) {
          fail("the tuner failed: " + reason, now);
        }
      }
      case Occurrence.Delayed(var by, String why) -> progress.delayed(by, why);
      case Occurrence.Assessed(AttemptRef attempt, String bad) ->
          trials
              .current(attempt)
              .filter(TrialState::mayBeAssessed)
              .ifPresent(trial -> endings.ask(trial, TrialStatus.EARLY_STOPPED, bad, now));
      case Occurrence.AssessorFailed(String reason) -> fail("the assessor failed: " + reason, now);
      case Occurrence.PlatformFailed(String reason) ->
          fail("its platform cannot go on: " + reason, now);
      case Occurrence.Committed(List<TrialId> plans) ->
          plans.forEach(id -> planning.makeReady(id, now));
      case Occurrence.Platform(PlatformEvent event) -> platform(event, now);
      case Occurrence.Deferred(AttemptRef attempt, String reason) ->
          trials.current(attempt).ifPresent(trial -> deferred(trial, reason, now));
      case Occurrence.Withdrawn(AttemptRef attempt) ->
          trials.current(attempt).ifPresent(trial -> withdrawn(trial, now));
      case Occurrence.NotSubmitted(AttemptRef attempt, String reason) ->
          trials
              .current(attempt)
              .filter(trial -> trial.phase() == Phase.SUBMITTED)
              .ifPresent(trial -> endings.impossible(trial, reason, now));
      case Occurrence.NotAdopted(AttemptRef attempt) ->
          trials.current(attempt).ifPresent(trial -> notAdopted(trial, now));
      case Occurrence.SetAsked(AttemptRef attempt, int index) ->
          trials.current(attempt).ifPresent(trial -> sets.asked(trial, index, now));
      case Occurrence.ResultCollected(AttemptRef attempt, MetricValue result, String of) ->
          trials.current(attempt).ifPresent(trial -> collected(trial, result, of, now));
      case Occurrence.StderrRead(AttemptRef attempt, String lines) ->
          trials.current(attempt).ifPresent(trial -> endings.stderrRead(trial, lines));
      case Occurrence.LateResult(TrialState trial, MetricValue result, String of) ->
          endings.late(trial, result, of);
      case Occurrence.BestFound(var best) -> {
        trials.tally().found(best, progress.spec().search().direction());
        trials.touchExperiment();
      }
      case Occurrence.Preempted(int number) -> endings.preempt(moving(), number);
      case Occurrence.Woken() -> woken(now);
      case Occurrence.Request request -> requests.decide(request, now).run();
    }
    moveOn(now);
    List<Decision> taken = decisions;
    decisions = new ArrayList<>();
    return taken;
  }

  /**
   * Refuses a request as {@link #decide} would, and changes nothing.
   *
   * @throws io.orrery.core.problem.ProblemException when it is refused
   */
  public void check(Occurrence.Request request, Instant now) {
    requests.decide(request, now);
  }

  private void suggested(Tuners.Suggestions suggestions, Instant now) {
    AttemptRef attempt = tuner.askedFor();
    if (attempt == null) {
      planning.suggested(suggestions, now);
    } else {
      sets.suggested(attempt, suggestions);
    }
  }

  private void collected(
      TrialState trial, @Nullable MetricValue result, @Nullable String of, Instant now) {
    if (sets.awaitsResult(trial)) {
      sets.collected(trial, result, of, now);
    } else {
      endings.collected(trial, result, of, now);
    }
  }

  private void opened(Instant now) {
    if (progress.status() == ExperimentStatus.INITIALIZED) {
      progress.begin(now);
    }
    progress.undelayed();
    for (TrialState trial : moving()) {
      switch (trial.phase()) {
        // Its launch may have been under way: until the platform has answered, it counts as such.
        case PLANNED -> trials.change(trial, TrialState::submit);
        case SETTLING -> endings.ended(trial);
        // What has become of them the platform tells; how long they may run is looked at then.
        case SUBMITTED, RUNNING, VACATED -> {}
        case SETTLED -> trials.leave(trial);
      }
      if (trial.ending().isPresent() && trial.phase().inFlight()) {
        decided(new Decision.CancelAttempt(trial.attempt()));
      }
    }
    if (progress.goingOn()) {
      planning.openTuner();
    }
    if (trials.tally().lacksBest()) {
      endings.reconsiderBest();
    }
  }

  private void platform(PlatformEvent event, Instant now) {
    trials
        .current(event.attempt())
        .ifPresent(trial -> {
          switch (event) {
            case PlatformEvent.Waiting waiting -> {
              trials.change(trial, t -> t.waits(waiting.reason()));
              // It came there after the pause, or its turn would come too late.
              boolean late =
                  progress.status() == ExperimentStatus.PAUSED || progress.outOfTime(now);
              if (late && trial.phase() == Phase.SUBMITTED && trial.ending().isEmpty()) {
                decided(new Decision.Withdraw(trial.attempt()));
              }
            }
            case PlatformEvent.Started started -> {
              trials.change(trial, t -> t.start(started.at(), started.directory()));
              watchDuration(trial);
            }
            case PlatformEvent.Vacated vacated -> trials.change(trial, TrialState::vacate);
            case PlatformEvent.Ended ended ->
                endings.over(trial, ended.exitCode(), ended.at(), ended.reason());
            case PlatformEvent.Noted noted -> trials.change(trial, t -> t.note(noted.note()));
            case PlatformEvent.Unreachable unreachable ->
                trials.change(trial, t -> t.unreachable(unreachable.reason()));
          }
        });
  }

  private void deferred(TrialState trial, String why, Instant now) {
    backToPlan(trial, why, now.plus(DEFERRAL), now);
  }

  private void withdrawn(TrialState trial, Instant now) {
    if (trial.phase() == Phase.SUBMITTED) {
      String why = progress.launching() ? null : UserRequests.PAUSED;
      backToPlan(trial, why, null, now);
      planning.makeReady(trial.ref.trial(), now);
    }
  }

  private void notAdopted(TrialState trial, Instant now) {
    if (trial.phase() == Phase.SUBMITTED) {
      backToPlan(trial, null, null, now);
      planning.makeReady(trial.ref.trial(), now);
    } else {
      endings.over(trial, null, now, "its platform no longer knows it");
    }
  }

  /** It has not started: it waits again, unless it was to end. */
  private void backToPlan(
      TrialState trial, @Nullable String why, @Nullable Instant until, Instant now) {
    Optional<TrialStatus> ending = trial.ending();
    if (trials.change(trial, t -> t.defer(why, until)) && ending.isPresent()) {
      endings.abandon(trial, ending.get(), "was to end before it had started", now);
    }
  }

  private void watchDuration(TrialState trial) {
    Duration limit = progress.spec().limits().maxTrialDuration();
    if (limit != null && trial.startedAt().isPresent()) {
      alarms.set(trial.startedAt().get().plus(limit), trial.ref.trial());
    }
  }

  private void woken(Instant now) {
    if (progress.timeRuns()) {
      trials.touchExperiment();
    }
    for (TrialId id : alarms.due(now)) {
      trials.find(id).ifPresent(trial -> due(trial, now));
    }
  }

  private void due(TrialState trial, Instant now) {
    Duration limit = progress.spec().limits().maxTrialDuration();
    if (trial.phase() == Phase.PLANNED) {
      planning.makeReady(trial.ref.trial(), now);
    } else if (limit != null
        && trial.phase() == Phase.RUNNING
        && trial.startedAt().isPresent()
        && !trial.startedAt().get().plus(limit).isAfter(now)) {
      String why = "ran longer than maxTrialDuration (" + limit.toSeconds() + " s)";
      endings.ask(trial, TrialStatus.EARLY_STOPPED, why, now);
    }
  }

  private void fail(String why, Instant now) {
    if (progress.status().isFinal()) {
      return;
    }
    progress.fail(why);
    planning.withdraw(TrialStatus.SYS_CANCELED, why, now);
    for (TrialState trial : moving()) {
      endings.ask(trial, TrialStatus.SYS_CANCELED, why, now);
    }
  }

  // ---- what follows --------------------------------------------------------------------------

  /** Everything that follows from the present state, whatever happened. */
  private void moveOn(Instant now) {
    String tooMany = progress.goingOn() ? endings.tooManyFailures() : null;
    if (tooMany != null) {
      fail(tooMany, now);
    }
    if (progress.outOfTime(now)) {
      planning.withdraw(
          TrialStatus.SYS_CANCELED, "maxExperimentDuration was reached before it started", now);
    }
    planning.launch(now);
    sets.ask(now, planning::openTuner);
    planning.ask(now);
    conclude(now);
    progress.keepTime(now);
  }

  /** Status that follows from what is left to do. */
  private void conclude(Instant now) {
    switch (progress.status()) {
      case STOPPING -> {
        if (trials.none()) {
          over(ExperimentStatus.STOPPED, null, now);
        }
      }
      case RUNNING, NO_MORE_TRIAL -> {
        boolean more = !tuner.exhausted() && progress.mayPlan(now);
        if (more || trials.planned() > 0) {
          progress.status(ExperimentStatus.RUNNING);
        } else if (!trials.none()) {
          progress.status(ExperimentStatus.NO_MORE_TRIAL);
        } else {
          long failed = trials.tally().count(TrialStatus.FAILED);
          String why = TotalFailure.reason(progress.created(), failed, endings);
          over(why == null ? ExperimentStatus.DONE : ExperimentStatus.FAILED, why, now);
        }
      }
      case ERROR -> {
        if (trials.none() && progress.endedAt() == null) {
          over(ExperimentStatus.ERROR, progress.error(), now);
        }
      }
      case INITIALIZED, PAUSED, STOPPED, DONE, FAILED, VIEWED -> {}
    }
  }

  private void over(ExperimentStatus as, @Nullable String why, Instant now) {
    progress.over(as, why, now);
    decided(new Decision.Retire());
  }
}
