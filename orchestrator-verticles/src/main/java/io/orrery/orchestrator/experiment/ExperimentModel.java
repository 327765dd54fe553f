package io.orrery.orchestrator.experiment;

import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialName;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All decisions about one experiment: given what happened, what is to be done. Pure: no Vert.x, no
 * store, no clock of its own, so that its test reads as the specification and a simulation replays
 * exactly.
 *
 * <p>It holds only trials that still move; what has settled leaves memory for its table, and only
 * sums stay. After each {@link #decide} the owner takes {@link #takeChanges}, stores them, and
 * carries out the decisions: some at once, the others after the commit.
 *
 * <p><b>Slots and plans.</b> A slot is a trial in flight. Plans are stored before a slot falls
 * free, as far ahead as the tuner can be asked without becoming stale, so that the turn of a slot
 * waits for no disk: {@code SUBMIT} of a durable plan is the only decision that touches the outside
 * without a commit of its own, and after a crash the platform is asked about every plan.
 *
 * <p><b>Ends.</b> A process that is over frees its slot; the trial settles when its result has been
 * collected. The experiment is NO_MORE_TRIAL when nothing can be planned any more, and over when
 * nothing moves.
 */
final class ExperimentModel {
  /** Execution time is stored at least this often, so a crash forgets no more of it. */
  private static final Duration CHECKPOINT = Duration.ofSeconds(10);

  /**
   * How long a trial that succeeded without a result is given for one that is still on its way, for
   * instance in a connection that its process left behind.
   */
  private static final Duration GRACE = Duration.ofMillis(200);

  /** A tuner is asked for so many at a time; more slots are filled by more questions. */
  private static final int MOST_ASKED = 1_000;

  private static final Duration DEFERRAL = Duration.ofSeconds(1);

  private final ExperimentRecord origin;
  private final Stopwatch stopwatch;
  private final LiveTrials trials;
  private final Deque<TrialId> ready = new ArrayDeque<>();
  private final Set<TrialId> graced = new HashSet<>();
  private final Alarms alarms = new Alarms();

  private ExperimentSpec spec;
  private ExperimentStatus status;
  private long nextSequence;
  private long nextOrdinal;
  private long nextNumber;
  private long created;
  private @Nullable Instant startedAt;
  private @Nullable Instant endedAt;
  private @Nullable String error;

  /** The last trial that failed, for the reason of an experiment in which all did. */
  private @Nullable String lastFailure;

  /** Counts the tuners that were opened; an answer of an earlier one is dropped. */
  private int tuner;

  private boolean tunerOpen;

  /** Results that came while the tuner was being opened: they may be too young for its replay. */
  private final List<Decision> untold = new ArrayList<>();

  private int aheadLimit;
  private int asked;

  /** The tuner gave less than it was asked for: it waits for a result. */
  private boolean starved;

  private boolean exhausted;
  private List<Decision> decisions = new ArrayList<>();

  /**
   * @param record the experiment as it was stored
   * @param moving its trials that have not settled, by sequence
   */
  ExperimentModel(ExperimentRecord record, List<TrialState> moving) {
    this.origin = record;
    this.spec = record.spec();
    this.status = record.status();
    this.nextSequence = record.nextSequence();
    this.nextOrdinal = record.nextOrdinal();
    this.nextNumber = record.nextNumber();
    this.created = record.created();
    this.startedAt = record.startedAt();
    this.endedAt = record.endedAt();
    this.error = record.error();
    this.stopwatch = new Stopwatch(record.ran());
    this.trials = new LiveTrials(new Tally(record.counts(), record.best()), moving);
  }

  /** Takes what has changed since the last call. */
  Changes takeChanges() {
    return trials.takeChanges();
  }

  /** Whether {@link #takeChanges} has something to take. */
  boolean hasChanges() {
    return trials.hasChanges();
  }

  ExperimentSpec spec() {
    return spec;
  }

  ExperimentStatus status() {
    return status;
  }

  /** The trials that have not settled. */
  List<TrialState> moving() {
    return trials.all();
  }

  Optional<TrialState> moving(TrialId trial) {
    return trials.find(trial);
  }

  /** The experiment as it is to be stored. */
  ExperimentRecord record(Instant now) {
    return new ExperimentRecord(
        origin.id(),
        spec,
        status,
        trials.tally().counts(),
        trials.tally().best().orElse(null),
        nextSequence,
        nextOrdinal,
        nextNumber,
        created,
        stopwatch.elapsed(now),
        origin.createdAt(),
        startedAt,
        endedAt,
        error);
  }

  /** When the model wants to be woken. */
  Optional<Instant> nextWake(Instant now) {
    Optional<Instant> next = alarms.next();
    if (!stopwatch.running()) {
      return next;
    }
    Instant own = now.plus(CHECKPOINT);
    if (spec.maxExperimentDuration() != null && !outOfTime(now)) {
      Instant deadline = now.plus(spec.maxExperimentDuration()).minus(stopwatch.elapsed(now));
      own = deadline.isBefore(own) ? deadline : own;
    }
    return Optional.of(next.isPresent() && next.get().isBefore(own) ? next.get() : own);
  }

  /**
   * Takes in what happened and says what is to be done.
   *
   * @throws io.orrery.core.problem.ProblemException when a user asked for something that the
   *     present state does not allow; nothing has changed then
   */
  List<Decision> decide(Occurrence occurrence, Instant now) {
    switch (occurrence) {
      case Occurrence.Opened() -> opened(now);
      case Occurrence.TunerOpened(int which, int ahead) -> {
        if (which == tuner) {
          tunerOpened(ahead);
        }
      }
      case Occurrence.Suggested(int which, Tuners.Suggestions suggestions) -> {
        if (which == tuner) {
          suggested(suggestions, now);
        }
      }
      case Occurrence.TunerFailed(int which, String reason) -> {
        if (which == tuner) {
          fail("the tuner failed: " + reason, now);
        }
      }
      case Occurrence.PlatformFailed(String reason) ->
          fail("its platform cannot go on: " + reason, now);
      case Occurrence.Committed(List<TrialId> plans) -> plans.forEach(id -> makeReady(id, now));
      case Occurrence.Platform(PlatformEvent event) -> platform(event);
      case Occurrence.Deferred(AttemptRef attempt, String reason) ->
          trials
              .current(attempt)
              .ifPresent(trial -> change(trial, t -> t.defer(reason, now.plus(DEFERRAL))));
      case Occurrence.NotSubmitted(AttemptRef attempt, String reason) ->
          trials.current(attempt).ifPresent(trial -> notSubmitted(trial, reason, now));
      case Occurrence.NotAdopted(AttemptRef attempt) ->
          trials.current(attempt).ifPresent(trial -> notAdopted(trial, now));
      case Occurrence.ResultCollected(AttemptRef attempt, MetricValue result) ->
          trials.current(attempt).ifPresent(trial -> resultCollected(trial, result, now));
      case Occurrence.LateResult(TrialState settled, MetricValue result) ->
          lateResult(settled, result);
      case Occurrence.Woken() -> woken(now);
      case Occurrence.PauseAsked() -> pause();
      case Occurrence.ResumeAsked() -> resume(now);
      case Occurrence.StopAsked() -> stop(now);
      case Occurrence.SpecChanged(ExperimentSpec changed) -> specChanged(changed, now);
      case Occurrence.TrialAdded(Parameters parameters) -> add(parameters, now);
      case Occurrence.TrialCancelAsked(TrialId trial) ->
          endTrial(known(trial), TrialStatus.USER_CANCELED, "canceled by its user", now);
      case Occurrence.TrialRetryAsked(TrialState settled) -> retry(settled);
    }
    moveOn(now);
    List<Decision> taken = decisions;
    decisions = new ArrayList<>();
    return taken;
  }

  // ---- opening -------------------------------------------------------------------------------

  private void opened(Instant now) {
    if (status == ExperimentStatus.INITIALIZED) {
      setStatus(ExperimentStatus.RUNNING);
      startedAt = now;
    }
    for (TrialState trial : moving()) {
      switch (trial.phase()) {
        // Its launch may have been under way: until the platform has answered, it counts as such.
        case PLANNED -> change(trial, TrialState::submit);
        case SETTLING -> collect(trial, Duration.ZERO);
        case SUBMITTED, RUNNING, VACATED -> watchDuration(trial);
        case SETTLED -> trials.leave(trial);
      }
      if (trial.ending().isPresent() && trial.phase().inFlight()) {
        decisions.add(new Decision.CancelAttempt(trial.attempt()));
      }
    }
    if (!status.isFinal() && status != ExperimentStatus.STOPPING) {
      openTuner();
    }
  }

  private void openTuner() {
    tuner++;
    tunerOpen = false;
    exhausted = false;
    starved = false;
    asked = 0;
    decisions.add(new Decision.OpenTuner(tuner, spec, nextOrdinal - 1));
  }

  private void tunerOpened(int ahead) {
    tunerOpen = true;
    aheadLimit = ahead;
    decisions.addAll(untold);
    untold.clear();
  }

  private void notAdopted(TrialState trial, Instant now) {
    if (trial.phase() == Phase.SUBMITTED) {
      change(trial, t -> t.defer(null, null));
      Optional<TrialStatus> ending = trial.ending();
      if (ending.isPresent()) {
        abandon(trial, ending.get(), "was to end before it had started", now);
      } else {
        makeReady(trial.ref.trial(), now);
      }
    } else {
      end(trial, null, now, "its platform no longer knows it");
    }
  }

  // ---- planning and launching ----------------------------------------------------------------

  private void suggested(Tuners.Suggestions suggestions, Instant now) {
    starved = suggestions.items().size() < asked;
    // Nothing now, and no result to come that could change its mind: it would wait for ever.
    exhausted = suggestions.exhausted() || (suggestions.items().isEmpty() && trials.none());
    asked = 0;
    for (Tuners.Suggestion suggestion : suggestions.items()) {
      nextNumber++;
      if (mayPlan(now)) {
        plan(suggestion.parameterId(), ParameterSource.ALGORITHM, suggestion.parameters(), now);
      }
    }
    touched();
  }

  private void plan(
      @Nullable String parameterId, ParameterSource source, Parameters values, Instant now) {
    TrialRef ref = new TrialRef(origin.id(), TrialName.of(origin.id(), nextSequence));
    ParameterSet set = new ParameterSet(0, parameterId, source, values);
    TrialState trial = new TrialState(ref, nextSequence++, nextOrdinal++, List.of(set), now);
    created++;
    trials.add(trial);
  }

  /** A plan that is durable may start, now or when its time has come. */
  private void makeReady(TrialId id, Instant now) {
    TrialState trial = trials.find(id).orElse(null);
    if (trial == null || trial.phase() != Phase.PLANNED || ready.contains(id)) {
      return;
    }
    if (trial.notBefore().isPresent() && trial.notBefore().get().isAfter(now)) {
      alarms.set(trial.notBefore().get(), id);
    } else {
      ready.add(id);
    }
  }

  private boolean mayPlan(Instant now) {
    boolean going =
        switch (status) {
          case RUNNING, NO_MORE_TRIAL, PAUSED -> true;
          case INITIALIZED, STOPPING, STOPPED, DONE, FAILED, ERROR, VIEWED -> false;
        };
    return going && created < limit() && !outOfTime(now);
  }

  private long limit() {
    return spec.maxTrialNumber() == null ? Long.MAX_VALUE : spec.maxTrialNumber();
  }

  private boolean outOfTime(Instant now) {
    Duration limit = spec.maxExperimentDuration();
    return limit != null && stopwatch.elapsed(now).compareTo(limit) >= 0;
  }

  /** Everything that follows from the present state, whatever happened. */
  private void moveOn(Instant now) {
    if (outOfTime(now)) {
      withdrawPlans("maxExperimentDuration was reached before it started", now);
    }
    launch();
    askTuner(now);
    conclude(now);
    boolean running =
        status == ExperimentStatus.RUNNING || status == ExperimentStatus.NO_MORE_TRIAL;
    stopwatch.run(running, now);
  }

  private void launch() {
    boolean launching =
        status == ExperimentStatus.RUNNING || status == ExperimentStatus.NO_MORE_TRIAL;
    while (launching && trials.inFlight() < spec.slots() && !ready.isEmpty()) {
      TrialState trial = trials.find(ready.remove()).orElse(null);
      if (trial != null && trial.phase() == Phase.PLANNED) {
        // Not a change to store: after a crash, a plan is asked about in any case.
        trials.unstored(trial, TrialState::submit);
        decisions.add(new Decision.Submit(trial.submission(spec)));
      }
    }
  }

  private void askTuner(Instant now) {
    boolean asking =
        tunerOpen && asked == 0 && !exhausted && !starved && status != ExperimentStatus.PAUSED;
    if (!asking || !mayPlan(now)) {
      return;
    }
    long wanted =
        (long) spec.slots()
            - trials.inFlight()
            + Math.min(aheadLimit, spec.slots())
            - trials.planned();
    int count = (int) Math.min(Math.min(wanted, limit() - created), MOST_ASKED);
    if (count > 0) {
      asked = count;
      decisions.add(new Decision.Ask(tuner, count, nextNumber));
    }
  }

  /** Status that follows from what is left to do. */
  private void conclude(Instant now) {
    switch (status) {
      case STOPPING -> {
        if (trials.none()) {
          over(ExperimentStatus.STOPPED, now);
        }
      }
      case RUNNING, NO_MORE_TRIAL -> {
        boolean nothingToPlan = exhausted || !mayPlan(now);
        if (!nothingToPlan || trials.planned() > 0 || (asked > 0 && mayPlan(now))) {
          setStatus(ExperimentStatus.RUNNING);
        } else if (!trials.none()) {
          setStatus(ExperimentStatus.NO_MORE_TRIAL);
        } else {
          boolean failed =
              trials.tally().count(TrialStatus.FAILED) > 0 && trials.tally().onlyFailures();
          error = failed ? allFailed() : null;
          over(failed ? ExperimentStatus.FAILED : ExperimentStatus.DONE, now);
        }
      }
      case ERROR -> {
        if (trials.none() && endedAt == null) {
          over(ExperimentStatus.ERROR, now);
        }
      }
      case INITIALIZED, PAUSED, STOPPED, DONE, FAILED, VIEWED -> {}
    }
  }

  private String allFailed() {
    long failed = trials.tally().count(TrialStatus.FAILED);
    return (failed == 1 ? "the only trial failed" : "all " + failed + " trials failed")
        + (lastFailure == null ? "" : "; the last: " + lastFailure);
  }

  private void over(ExperimentStatus as, Instant now) {
    setStatus(as);
    endedAt = now;
    touched();
    decisions.add(new Decision.Retire());
  }

  // ---- the life of a trial -------------------------------------------------------------------

  private void platform(PlatformEvent event) {
    trials
        .current(event.attempt())
        .ifPresent(trial -> {
          switch (event) {
            case PlatformEvent.Waiting waiting -> change(trial, t -> t.waits(waiting.reason()));
            case PlatformEvent.Started started -> {
              change(trial, t -> t.start(started.at(), started.directory()));
              watchDuration(trial);
            }
            case PlatformEvent.Vacated vacated -> change(trial, TrialState::vacate);
            case PlatformEvent.Ended ended ->
                end(trial, ended.exitCode(), ended.at(), ended.reason());
            case PlatformEvent.Unreachable unreachable ->
                change(trial, t -> t.unreachable(unreachable.reason()));
          }
        });
  }

  private void watchDuration(TrialState trial) {
    if (spec.maxTrialDuration() != null && trial.startedAt().isPresent()) {
      alarms.set(trial.startedAt().get().plus(spec.maxTrialDuration()), trial.ref.trial());
    }
  }

  private void notSubmitted(TrialState trial, String why, Instant now) {
    trial.askToEnd(TrialStatus.FAILED, why);
    end(trial, null, now, why);
  }

  private void end(TrialState trial, @Nullable Integer code, Instant at, @Nullable String why) {
    if (change(trial, t -> t.end(at, code, why))) {
      collect(trial, Duration.ZERO);
    }
  }

  private void collect(TrialState trial, Duration delay) {
    decisions.add(new Decision.CollectResult(trial.attempt(), delay));
  }

  private void resultCollected(TrialState trial, @Nullable MetricValue result, Instant now) {
    if (trial.phase() != Phase.SETTLING) {
      return;
    }
    TrialStatus as = trial.ending().orElseGet(() -> statusOf(trial.exitCode()));
    if (as == TrialStatus.SUCCEEDED && result == null && graced.add(trial.ref.trial())) {
      collect(trial, GRACE);
      return;
    }
    graced.remove(trial.ref.trial());
    if (!triedAgain(trial, now)) {
      change(trial, t -> t.settle(as, result, nextOrdinal++));
      settled(trial);
    }
  }

  private static TrialStatus statusOf(@Nullable Integer exitCode) {
    if (exitCode == null) {
      return TrialStatus.SYS_CANCELED;
    }
    return exitCode == 0 ? TrialStatus.SUCCEEDED : TrialStatus.FAILED;
  }

  private boolean triedAgain(TrialState trial, Instant now) {
    Integer code = trial.exitCode();
    boolean willing = trial.ending().isEmpty() && !Integer.valueOf(0).equals(code);
    RetryPolicy policy = spec.retry();
    int attempt = trial.attempt().number();
    RetryPolicy.Cause cause = code == null ? RetryPolicy.Cause.LOST : RetryPolicy.Cause.FAILED;
    if (!willing || status == ExperimentStatus.STOPPING || !policy.allows(attempt, cause)) {
      return false;
    }
    Duration pause = policy.pauseAfter(attempt);
    String what = code == null ? "was lost" : "ended with exit code " + code;
    String why =
        "attempt %d %s; attempt %d of %d follows after %d s"
            .formatted(attempt, what, attempt + 1, policy.attempts(), pause.toSeconds());
    return change(trial, t -> t.again(now.plus(pause), why));
  }

  /** A trial is over: it leaves memory, the sums and the tuner learn of it. */
  private void settled(TrialState trial) {
    trials.leave(trial);
    trials.tally().consider(trial, spec.direction());
    if (trial.status() == TrialStatus.FAILED) {
      lastFailure = "trial " + trial.ref.trial() + ", " + trial.reason();
    }
    starved = false;
    tell(trial);
  }

  private void tell(TrialState trial) {
    (tunerOpen ? decisions : untold).add(new Decision.Tell(trial.settled()));
  }

  private void lateResult(TrialState settled, MetricValue result) {
    boolean untold = settled.metric() == null;
    change(settled, t -> t.correct(result, nextOrdinal++));
    trials.tally().consider(settled, spec.direction());
    if (untold) {
      tell(settled);
    }
  }

  private void endTrial(TrialState trial, TrialStatus as, String why, Instant now) {
    if (trial.phase() == Phase.PLANNED) {
      abandon(trial, as, why, now);
    } else if (change(trial, t -> t.askToEnd(as, why))) {
      decisions.add(new Decision.CancelAttempt(trial.attempt()));
    }
  }

  private void abandon(TrialState trial, TrialStatus as, String why, Instant now) {
    change(trial, t -> t.abandon(now, as, why, nextOrdinal++));
    settled(trial);
  }

  private void woken(Instant now) {
    if (stopwatch.running()) {
      touched();
    }
    for (TrialId id : alarms.due(now)) {
      TrialState trial = trials.find(id).orElse(null);
      if (trial == null) {
        continue;
      }
      Duration limit = spec.maxTrialDuration();
      if (trial.phase() == Phase.PLANNED) {
        makeReady(id, now);
      } else if (limit != null
          && trial.phase() == Phase.RUNNING
          && trial.startedAt().isPresent()
          && !trial.startedAt().get().plus(limit).isAfter(now)) {
        String why = "ran longer than maxTrialDuration (" + limit.toSeconds() + " s)";
        endTrial(trial, TrialStatus.EARLY_STOPPED, why, now);
      }
    }
  }

  // ---- what users ask for --------------------------------------------------------------------

  private void pause() {
    switch (status) {
      case RUNNING, NO_MORE_TRIAL -> {
        setStatus(ExperimentStatus.PAUSED);
        explainPlans("the experiment is paused");
      }
      case PAUSED -> {}
      case INITIALIZED, STOPPING, STOPPED, DONE, FAILED, ERROR, VIEWED ->
          throw new Problem.Conflict("the experiment is " + status + ": there is nothing to pause")
              .toException();
    }
  }

  private void explainPlans(String why) {
    moving().forEach(trial -> change(trial, t -> t.heldBackBy(why)));
  }

  private void resume(Instant now) {
    switch (status) {
      case INITIALIZED, RUNNING, NO_MORE_TRIAL -> {}
      case PAUSED -> {
        setStatus(ExperimentStatus.RUNNING);
        explainPlans(TrialState.FOR_A_SLOT);
      }
      case STOPPING ->
          throw new Problem.Conflict("the experiment is still stopping: resume it once it has")
              .toException();
      case STOPPED, ERROR, VIEWED -> reopen();
      case DONE, FAILED -> {
        if (created >= limit() || outOfTime(now)) {
          throw new Problem.Conflict(
                  "the experiment is "
                      + status
                      + " because it reached its limit: raise maxTrialNumber or"
                      + " maxExperimentDuration to go on")
              .toException();
        }
        reopen();
      }
    }
  }

  private void reopen() {
    setStatus(ExperimentStatus.RUNNING);
    endedAt = null;
    error = null;
    openTuner();
  }

  private void stop(Instant now) {
    if (status.isFinal()) {
      return;
    }
    setStatus(ExperimentStatus.STOPPING);
    withdrawPlans("the experiment was stopped before it started", now);
    for (TrialState trial : moving()) {
      endTrial(trial, TrialStatus.USER_CANCELED, "the experiment was stopped", now);
    }
  }

  private void fail(String why, Instant now) {
    if (status.isFinal()) {
      return;
    }
    setStatus(ExperimentStatus.ERROR);
    error = why;
    withdrawPlans(why, now);
    for (TrialState trial : moving()) {
      endTrial(trial, TrialStatus.SYS_CANCELED, why, now);
    }
  }

  /**
   * Takes back what has not started. What the tuner suggested is forgotten, as if it had never been
   * asked; what a user added ends as canceled, because somebody knows its name.
   */
  private void withdrawPlans(String why, Instant now) {
    for (TrialState trial : moving()) {
      if (trial.phase() != Phase.PLANNED) {
        continue;
      }
      boolean fresh = trial.attempt().number() == 1;
      if (fresh && trial.current().source() == ParameterSource.ALGORITHM) {
        withdraw(trial);
      } else {
        endTrial(trial, TrialStatus.SYS_CANCELED, why, now);
      }
    }
  }

  private void withdraw(TrialState trial) {
    trials.withdraw(trial);
    created--;
  }

  private void specChanged(ExperimentSpec changed, Instant now) {
    boolean otherSpace = !changed.searchSpace().equals(spec.searchSpace());
    spec = changed;
    touched();
    if (otherSpace) {
      withdrawPlans("the search space was changed before it started", now);
    }
    boolean ended = status == ExperimentStatus.DONE || status == ExperimentStatus.FAILED;
    if (ended && created < limit() && !outOfTime(now)) {
      reopen();
    } else if (otherSpace && !status.isFinal() && status != ExperimentStatus.STOPPING) {
      openTuner();
    }
  }

  private void add(Parameters parameters, Instant now) {
    switch (status) {
      case STOPPING, STOPPED, ERROR, VIEWED ->
          throw new Problem.Conflict("the experiment is " + status + ": resume it first")
              .toException();
      case INITIALIZED, RUNNING, PAUSED, NO_MORE_TRIAL, DONE, FAILED -> {}
    }
    if (created >= limit() || outOfTime(now)) {
      throw new Problem.Conflict(
              "the experiment has reached its limit: raise maxTrialNumber or"
                  + " maxExperimentDuration first")
          .toException();
    }
    if (status.isFinal()) {
      reopen();
    }
    plan(null, ParameterSource.CUSTOMIZED, parameters, now);
  }

  private void retry(TrialState settled) {
    if (settled.status() == TrialStatus.SUCCEEDED) {
      throw new Problem.Conflict(
              "trial "
                  + settled.ref.trial()
                  + " succeeded: add a trial with the same parameters to run them again")
          .toException();
    }
    switch (status) {
      case STOPPING, STOPPED, ERROR, VIEWED ->
          throw new Problem.Conflict("the experiment is " + status + ": resume it first")
              .toException();
      case DONE, FAILED -> reopen();
      case INITIALIZED, RUNNING, PAUSED, NO_MORE_TRIAL -> {}
    }
    trials.readmit(settled);
    change(settled, t -> t.again(null, "its user asked for another attempt"));
  }

  // ---- bookkeeping ---------------------------------------------------------------------------

  private TrialState known(TrialId id) {
    return moving(id)
        .orElseThrow(() -> new Problem.Conflict("trial " + id + " has ended").toException());
  }

  private boolean change(TrialState trial, Predicate<TrialState> step) {
    return trials.change(trial, step);
  }

  private void setStatus(ExperimentStatus to) {
    if (status != to) {
      status = to;
      touched();
    }
  }

  private void touched() {
    trials.touchExperiment();
  }
}
