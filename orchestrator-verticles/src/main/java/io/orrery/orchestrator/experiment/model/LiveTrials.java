package io.orrery.orchestrator.experiment.model;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The trials that still move, and everything that has to stay in step with them: the sums over all
 * trials, how many are planned and in flight, when they are to be looked at, and what has to be
 * stored.
 */
final class LiveTrials {
  private final Map<TrialId, TrialState> live = new LinkedHashMap<>();
  private final TrialTally tally;
  private final Alarms alarms;
  private Changes changes = new Changes();
  private int inFlight;
  private int planned;

  /**
   * @param tally the sums, these trials counted
   * @param alarms of trials that move
   * @param moving by sequence
   */
  LiveTrials(TrialTally tally, Alarms alarms, List<TrialState> moving) {
    this.tally = tally;
    this.alarms = alarms;
    for (TrialState trial : moving) {
      live.put(trial.ref.trial(), trial);
      count(trial.phase(), 1);
    }
  }

  TrialTally tally() {
    return tally;
  }

  List<TrialState> all() {
    return List.copyOf(live.values());
  }

  boolean none() {
    return live.isEmpty();
  }

  int inFlight() {
    return inFlight;
  }

  int planned() {
    return planned;
  }

  Optional<TrialState> find(TrialId trial) {
    return Optional.ofNullable(live.get(trial));
  }

  /** The trial of an attempt, when it is still the trial's present one. */
  Optional<TrialState> current(AttemptRef attempt) {
    return find(attempt.trial().trial()).filter(trial -> trial.attempt().equals(attempt));
  }

  /** Takes in a trial that has just been planned. */
  void add(TrialState trial) {
    live.put(trial.ref.trial(), trial);
    count(trial.phase(), 1);
    tally.add(trial.status());
    changes.touch(trial);
  }

  /** Counts and stores a trial that has settled before it was ever seen here. */
  void addSettled(TrialState trial) {
    tally.add(trial.status());
    changes.touch(trial);
  }

  /** Takes back a trial that had settled and moves again. */
  void readmit(TrialState trial) {
    live.put(trial.ref.trial(), trial);
  }

  /** Changes a trial; false when the step changed nothing. */
  boolean change(TrialState trial, Predicate<TrialState> step) {
    TrialStatus before = trial.status();
    if (!unstored(trial, step)) {
      return false;
    }
    tally.move(before, trial.status());
    changes.touch(trial);
    return true;
  }

  /** Changes a trial's phase in a way that need not be stored, and that leaves its status. */
  boolean unstored(TrialState trial, Predicate<TrialState> step) {
    Phase phase = trial.phase();
    if (!step.test(trial)) {
      return false;
    }
    count(phase, -1);
    count(trial.phase(), 1);
    return true;
  }

  /** Removes a trial that has settled. */
  void leave(TrialState trial) {
    live.remove(trial.ref.trial());
    alarms.forget(trial.ref.trial());
  }

  /** Forgets a plan as if it had never been. */
  void withdraw(TrialState trial) {
    leave(trial);
    count(trial.phase(), -1);
    tally.remove(trial.status());
    changes.withdraw(trial);
  }

  /** The experiment itself changed. */
  void touchExperiment() {
    changes.touchExperiment();
  }

  boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** Whether a trial has changed and has not been taken. */
  boolean hasChanged(TrialId trial) {
    return changes.touches(trial);
  }

  Changes takeChanges() {
    Changes taken = changes;
    changes = new Changes();
    return taken;
  }

  private void count(Phase phase, int by) {
    inFlight += phase.inFlight() ? by : 0;
    planned += phase == Phase.PLANNED ? by : 0;
  }
}
