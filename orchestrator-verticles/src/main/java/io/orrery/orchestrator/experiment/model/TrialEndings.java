package io.orrery.orchestrator.experiment.model;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The endings of trials: by themselves, by a command, or without a start. A process that is over
 * frees its slot; its trial settles when its result has been collected, or continues with another
 * attempt. A settled trial leaves memory, and is added to the counts and told to the tuner.
 */
final class TrialEndings {
  /**
   * How long a trial that succeeded without a result is given for one that is still on its way, for
   * instance in a connection that its process left behind.
   */
  private static final Duration GRACE = Duration.ofMillis(200);

  private final ExperimentProgress progress;
  private final LiveTrials trials;
  private final TunerDialogue tuner;
  private final Ordinals ordinals;
  private final Consumer<Decision> decide;
  private final FailureCount failures;
  private final FailureBrake brake = new FailureBrake();
  private final Set<TrialId> graced = new HashSet<>();

  /** Those that were stopped early: how far they came is asked for, to be their result. */
  private final Set<TrialId> latest = new HashSet<>();

  /** Those that are ended for others of a higher priority; they are tried again. */
  private final Set<AttemptRef> preempted = new HashSet<>();

  /** Those that were lost for good since the owner came. */
  private final Set<TrialId> lost = new HashSet<>();

  private @Nullable String lastLoss;

  /** The last trial that failed, for the reason of an experiment in which all did. */
  private @Nullable String lastFailure;

  TrialEndings(
      ExperimentProgress progress,
      LiveTrials trials,
      TunerDialogue tuner,
      Ordinals ordinals,
      FailureCount failures,
      Consumer<Decision> decide) {
    this.progress = progress;
    this.trials = trials;
    this.tuner = tuner;
    this.ordinals = ordinals;
    this.failures = failures;
    this.decide = decide;
  }

  /** A sentence about failures, with the reason of the last one as far as that is known. */
  String withLastFailure(String sentence) {
    return sentence + (lastFailure == null ? "" : "; the last: " + lastFailure);
  }

  /** Why the experiment must end for its failures; null while it need not. */
  @Nullable String tooManyFailures() {
    String why = failures.excess(progress.spec(), trials.tally().count(TrialStatus.FAILED));
    return why == null ? null : withLastFailure(why);
  }

  /** The number of trials that failed one after the other. */
  long failuresInRow() {
    return failures.inRow();
  }

  /** Begins a new row of failures, because a user has resumed the experiment. */
  void goesOn() {
    failures.forget();
  }

  /** Holds an experiment back whose trials only fail. */
  FailureBrake brake() {
    return brake;
  }

  // ---- towards the end -----------------------------------------------------------------------

  /** Notes that it is to end with this status, by a user's request or by a rule. */
  void ask(TrialState trial, TrialStatus as, String why, Instant now) {
    if (trial.phase() == Phase.PLANNED) {
      abandon(trial, as, why, now);
    } else if (trials.change(trial, t -> t.askToEnd(as, why))) {
      decide.accept(new Decision.CancelAttempt(trial.attempt()));
    }
  }

  /**
   * Ends some trials that run, for others of a higher priority: those that may run again whatever
   * becomes of this attempt, the youngest first.
   */
  void preempt(Collection<TrialState> moving, int number) {
    if (!progress.goingOn()) {
      return;
    }
    moving.stream()
        .filter(trial -> trial.phase() == Phase.RUNNING && trial.ending().isEmpty())
        .filter(trial ->
            progress.spec().limits().retry().always(trial.attempt().number())
                && !preempted.contains(trial.attempt()))
        .sorted(
            Comparator.comparing(
                (TrialState trial) -> trial.startedAt().orElse(Instant.MAX),
                Comparator.reverseOrder()))
        .limit(number)
        .forEach(trial -> {
          preempted.add(trial.attempt());
          decide.accept(new Decision.CancelAttempt(trial.attempt()));
        });
  }

  /** It ends without having started. */
  void abandon(TrialState trial, TrialStatus as, String why, Instant now) {
    long from = ordinals.upcoming();
    trials.change(trial, t -> t.abandon(now, as, why, direction(), ordinals::next));
    settled(trial, from);
  }

  /** Its platform will never start it. */
  void impossible(TrialState trial, String why, Instant now) {
    trial.askToEnd(TrialStatus.FAILED, why);
    // Should the platform have taken it all the same, it must not run once it counts as over.
    decide.accept(new Decision.CancelAttempt(trial.attempt()));
    over(trial, null, now, why);
  }

  /** Its processes are gone and its reports are in. */
  void over(TrialState trial, @Nullable Integer code, Instant at, @Nullable String why) {
    if (trials.change(trial, t -> t.end(at, code, why))) {
      ended(trial);
    }
  }

  /** Asks for what it has left: its result, and before that what it said of its failure. */
  void ended(TrialState trial) {
    if (trial.hasFailed()) {
      decide.accept(new Decision.ReadStderr(trial.attempt()));
    } else {
      collect(trial, Duration.ZERO);
    }
  }

  void stderrRead(TrialState trial, String lines) {
    if (trial.phase() == Phase.SETTLING) {
      trials.change(trial, t -> t.explain(lines));
      collect(trial, Duration.ZERO);
    }
  }

  /** Asks for its result. */
  void collect(TrialState trial, Duration delay) {
    decide.accept(new Decision.CollectResult(trial.attempt(), delay));
  }

  // ---- the end -------------------------------------------------------------------------------

  /**
   * @param parameterId of the set that the result is of, as far as it says
   */
  void collected(
      TrialState trial, @Nullable MetricValue given, @Nullable String parameterId, Instant now) {
    if (trial.phase() != Phase.SETTLING) {
      return;
    }
    boolean told = trial.sets().hasGoneOnFrom(parameterId);
    MetricValue result = given == null || told ? null : counted(given);
    boolean missing = result == null && trial.sets().anyOpen();
    TrialStatus as = trial.ending().orElseGet(() -> statusOf(trial.exitCode()));
    if (as == TrialStatus.SUCCEEDED && missing && graced.add(trial.ref.trial())) {
      collect(trial, GRACE);
      return;
    }
    if (as == TrialStatus.EARLY_STOPPED && missing && latest.add(trial.ref.trial())) {
      decide.accept(new Decision.CollectLatest(trial.attempt()));
      return;
    }
    graced.remove(trial.ref.trial());
    latest.remove(trial.ref.trial());
    if (!triedAgain(trial, now)) {
      if (trial.ending().isEmpty() && as == TrialStatus.SYS_CANCELED) {
        lost.add(trial.ref.trial());
        lastLoss = "trial " + trial.ref.trial() + ", " + trial.reason();
      }
      long from = ordinals.upcoming();
      trials.change(trial, t -> t.settle(as, result, parameterId, direction(), ordinals::next));
      settled(trial, from);
    }
  }

  /** How many trials were lost for good since the owner came. */
  int lost() {
    return lost.size();
  }

  /** Which trial was lost last, and why; null when none was since the owner came. */
  @Nullable String lastLoss() {
    return lastLoss;
  }

  private Direction direction() {
    return progress.spec().search().direction();
  }

  /** What a trial reported, its number being that of the first objective. */
  MetricValue counted(MetricValue given) {
    return progress.spec().search().objectives().counted(given);
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
    RetryPolicy policy = progress.spec().limits().retry();
    int attempt = trial.attempt().number();
    RetryPolicy.Cause cause = code == null ? RetryPolicy.Cause.LOST : RetryPolicy.Cause.FAILED;
    boolean gaveWay = preempted.remove(trial.attempt());
    if (!willing || !progress.goingOn() || !policy.allows(attempt, cause)) {
      return false;
    }
    Duration pause = gaveWay ? Duration.ZERO : policy.pauseAfter(attempt);
    String what =
        gaveWay
            ? "was ended for others of a higher priority"
            : code == null ? "was lost" : "ended with exit code " + code + lastLine(trial);
    String why =
        "attempt %d %s; attempt %d of %d follows%s"
            .formatted(
                attempt,
                what,
                attempt + 1,
                policy.attempts(),
                gaveWay ? "" : " after " + pause.toSeconds() + " s");
    return trials.change(trial, t -> t.again(now.plus(pause), why));
  }

  private static String lastLine(TrialState trial) {
    String reason = trial.reason() == null ? "" : trial.reason();
    int newline = reason.lastIndexOf('\n');
    return newline < 0 ? "" : " (" + reason.substring(newline + 1).strip() + ")";
  }

  /**
   * A trial is over: it leaves memory, the sums and the tuner learn of it.
   *
   * @param from where in the history its end begins
   */
  private void settled(TrialState trial, long from) {
    trials.leave(trial);
    brake.ended(trial.view());
    failures.ended(trial.status());
    trials.tally().consider(trial, direction());
    if (trial.status() == TrialStatus.FAILED) {
      lastFailure = "trial " + trial.ref.trial() + ", " + trial.reason();
    }
    trial.ends(from).forEach(tuner::tell);
  }

  // ---- after the end -------------------------------------------------------------------------

  /** A final result came for a trial that has settled, or for a set that it has gone on from. */
  void late(TrialState trial, MetricValue given, @Nullable String parameterId) {
    GivenSet set = trial.sets().of(parameterId);
    if (set == null) {
      return;
    }
    MetricValue result = counted(given);
    boolean untold = trial.sets().resultOf(parameterId) == null;
    long from = ordinals.upcoming();
    trials.change(trial, t -> t.correct(set, result, direction(), ordinals::next));
    if (trials.tally().mayBeBest(trial.ref.trial())) {
      reconsiderBest();
    } else if (trial.phase() == Phase.SETTLED) {
      trials.tally().consider(trial, direction());
    }
    if (untold) {
      trial.ends(from).forEach(tuner::tell);
    }
  }

  /** Takes back a trial that had settled, for another attempt. */
  void readmit(TrialState settled, String why) {
    trials.readmit(settled);
    lost.remove(settled.ref.trial());
    trials.change(settled, t -> t.again(null, why));
    if (trials.tally().mayBeBest(settled.ref.trial())) {
      reconsiderBest();
    }
  }

  /** The best trial is not what it was: who is best now, only the table knows. */
  void reconsiderBest() {
    trials.tally().forgetBest();
    trials.touchExperiment();
    decide.accept(new Decision.FindBest());
  }
}
