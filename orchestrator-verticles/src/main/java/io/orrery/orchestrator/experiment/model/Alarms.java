package io.orrery.orchestrator.experiment.model;

import io.orrery.core.id.TrialId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The timers of trials: one for each, the last that was set. An alarm is a hint to check the trial.
 * It is removed when its trial leaves memory, so that a million short trials with a limit of a day
 * leave no million timers.
 */
final class Alarms {
  private record Alarm(Instant at, TrialId trial) {}

  private final NavigableSet<Alarm> queue =
      new TreeSet<>(Comparator.comparing(Alarm::at).thenComparing(alarm -> alarm.trial().value()));

  private final Map<TrialId, Alarm> byTrial = new HashMap<>();

  void set(Instant at, TrialId trial) {
    forget(trial);
    Alarm alarm = new Alarm(at, trial);
    byTrial.put(trial, alarm);
    queue.add(alarm);
  }

  void forget(TrialId trial) {
    Alarm alarm = byTrial.remove(trial);
    if (alarm != null) {
      queue.remove(alarm);
    }
  }

  Optional<Instant> next() {
    return queue.isEmpty() ? Optional.empty() : Optional.of(queue.first().at());
  }

  /** Takes out the trials whose time has come. */
  List<TrialId> due(Instant now) {
    List<TrialId> due = new ArrayList<>();
    while (!queue.isEmpty() && !queue.first().at().isAfter(now)) {
      TrialId trial = queue.first().trial();
      forget(trial);
      due.add(trial);
    }
    return due;
  }
}
