package io.orrery.orchestrator.experiment.model;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.TrialId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.spec.CostChoice;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The requests of users to an experiment. Each is either accepted, or refused with a Conflict that
 * says what would be right; a refused request has changed nothing.
 */
public final class UserRequests {
  /** Why trials wait in a pause. */
  static final String PAUSED = "the experiment is paused";

  private final ExperimentProgress progress;
  private final LiveTrials trials;
  private final Planning planning;
  private final TrialEndings endings;
  private final Consumer<Decision> decide;

  UserRequests(
      ExperimentProgress progress,
      LiveTrials trials,
      Planning planning,
      TrialEndings endings,
      Consumer<Decision> decide) {
    this.progress = progress;
    this.trials = trials;
    this.planning = planning;
    this.endings = endings;
    this.decide = decide;
  }

  /**
   * Decides about a request.
   *
   * @return carries it out; nothing has changed before
   * @throws ProblemException Conflict when it is refused
   */
  Runnable decide(Occurrence.Request request, Instant now) {
    return switch (request) {
      case Occurrence.PauseAsked() -> pause();
      case Occurrence.ResumeAsked() -> resume(now);
      case Occurrence.StopAsked() -> () -> stop(now);
      case Occurrence.SpecChanged(ExperimentSpec changed) -> () -> change(changed, now);
      case Occurrence.TrialAdded(Parameters parameters) -> add(parameters, now);
      // Starts nothing and ends nothing, so it is allowed at any time.
      case Occurrence.ResultsImported(var results) -> () -> take(results, now);
      case Occurrence.TrialCancelAsked(TrialId trial) -> cancel(trial, now);
      case Occurrence.TrialRetryAsked(TrialState settled) -> retry(settled, now);
    };
  }

  private Runnable pause() {
    return switch (progress.status()) {
      case RUNNING, NO_MORE_TRIAL ->
          () -> {
            progress.status(ExperimentStatus.PAUSED);
            planning.explain(PAUSED);
            takeBack();
          };
      case PAUSED -> () -> {};
      case INITIALIZED, STOPPING, STOPPED, DONE, FAILED, ERROR, VIEWED ->
          throw conflict("the experiment is " + progress.status() + ": there is nothing to pause");
    };
  }

  /** What a platform has and has not begun to start would start in the midst of the pause. */
  private void takeBack() {
    for (TrialState trial : trials.all()) {
      if (trial.phase() == Phase.SUBMITTED && trial.ending().isEmpty()) {
        decide.accept(new Decision.Withdraw(trial.attempt()));
      }
    }
  }

  private Runnable resume(Instant now) {
    return switch (progress.status()) {
      case INITIALIZED, RUNNING, NO_MORE_TRIAL -> () -> {};
      case PAUSED ->
          () -> {
            progress.status(ExperimentStatus.RUNNING);
            planning.explain(TrialState.FOR_A_SLOT);
          };
      case STOPPING ->
          throw conflict("the experiment is still stopping: resume it once it has stopped");
      case STOPPED, ERROR, VIEWED -> {
        refuseTooManyFailures();
        yield this::reopen;
      }
      case DONE, FAILED -> {
        refuseTooManyFailures();
        if (!progress.withinLimits(now)) {
          throw conflict(
              "the experiment is "
                  + progress.status()
                  + " because it reached its limit: raise maxTrialNumber or maxExperimentDuration"
                  + " to go on");
        }
        yield this::reopen;
      }
    };
  }

  private void refuseTooManyFailures() {
    Long limit = progress.spec().limits().failures().total();
    long failed = trials.tally().count(TrialStatus.FAILED);
    if (limit != null && failed >= limit) {
      throw conflict(failed + " trials failed, which is the limit: raise maxFailedTrials to go on");
    }
  }

  private void reopen() {
    endings.goesOn();
    progress.reopen();
    planning.openTuner();
  }

  private void stop(Instant now) {
    if (progress.status().isFinal()) {
      return;
    }
    progress.status(ExperimentStatus.STOPPING);
    planning.withdraw(
        TrialStatus.USER_CANCELED, "the experiment was stopped before it started", now);
    for (TrialState trial : trials.all()) {
      endings.ask(trial, TrialStatus.USER_CANCELED, "the experiment was stopped", now);
    }
  }

  private void change(ExperimentSpec changed, Instant now) {
    boolean otherSpace = !changed.search().space().equals(progress.spec().search().space());
    // A tuner that looks at costs knows the limits: one that is made anew would know the new ones.
    boolean otherBudget = !Objects.equals(CostChoice.of(changed), CostChoice.of(progress.spec()));
    progress.spec(changed);
    if (otherSpace) {
      planning.withdraw(
          TrialStatus.SYS_CANCELED, "the search space was changed before it started", now);
    }
    boolean ended =
        progress.status() == ExperimentStatus.DONE || progress.status() == ExperimentStatus.FAILED;
    if (ended && progress.withinLimits(now)) {
      reopen();
    } else if ((otherSpace || otherBudget) && progress.goingOn()) {
      planning.openTuner();
    }
  }

  private Runnable add(Parameters parameters, Instant now) {
    refuseUnlessResumable();
    if (!progress.withinLimits(now)) {
      throw conflict(
          "the experiment has reached its limit: raise maxTrialNumber or maxExperimentDuration"
              + " first");
    }
    return () -> {
      reopenIfOver();
      planning.plan(null, ParameterSource.CUSTOMIZED, parameters, now);
    };
  }

  private void reopenIfOver() {
    if (progress.status().isFinal()) {
      reopen();
    }
  }

  private void take(List<ImportedResult> results, Instant now) {
    results.forEach(result -> planning.add(result, now));
    if (progress.goingOn() && !results.isEmpty()) {
      // One that is opened over the history knows them all, whatever it was told meanwhile.
      planning.openTuner();
    }
  }

  private Runnable cancel(TrialId id, Instant now) {
    TrialState trial = trials.find(id).orElseThrow(() -> conflict("trial " + id + " has ended"));
    return () -> endings.ask(trial, TrialStatus.USER_CANCELED, "canceled by its user", now);
  }

  /**
   * @param settled the trial as its table has it
   */
  private Runnable retry(TrialState settled, Instant now) {
    TrialId id = settled.ref.trial();
    if (trials.find(id).isPresent() || settled.phase() != Phase.SETTLED) {
      throw conflict("trial " + id + " has not ended");
    }
    if (settled.status() == TrialStatus.SUCCEEDED) {
      throw conflict(
          "trial " + id + " succeeded: add a trial with the same parameters to run them again");
    }
    refuseUnlessResumable();
    if (progress.outOfTime(now)) {
      throw conflict("the experiment has reached maxExperimentDuration: raise it first");
    }
    return () -> {
      reopenIfOver();
      endings.readmit(settled, "its user asked for another attempt");
    };
  }

  private void refuseUnlessResumable() {
    switch (progress.status()) {
      case STOPPING, STOPPED, ERROR, VIEWED ->
          throw conflict("the experiment is " + progress.status() + ": resume it first");
      case INITIALIZED, RUNNING, PAUSED, NO_MORE_TRIAL, DONE, FAILED -> {}
    }
  }

  private static ProblemException conflict(String detail) {
    return new Problem.Conflict(detail).toException();
  }
}
