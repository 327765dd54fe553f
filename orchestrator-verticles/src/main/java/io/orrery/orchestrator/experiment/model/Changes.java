package io.orrery.orchestrator.experiment.model;

import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.orchestrator.trial.TrialState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes to be stored: the experiment's row if it changed, and the changed trials. A trial
 * that changes again before it is stored is here once, in its newest state.
 */
public final class Changes {
  private boolean experiment;
  private final Map<TrialId, TrialState> trials = new LinkedHashMap<>();
  private final List<TrialRef> withdrawn = new ArrayList<>();

  void touchExperiment() {
    experiment = true;
  }

  void touch(TrialState trial) {
    experiment = true;
    trials.put(trial.ref.trial(), trial);
  }

  void withdraw(TrialState trial) {
    experiment = true;
    trials.remove(trial.ref.trial());
    withdrawn.add(trial.ref);
  }

  /** Whether a trial is to be stored. */
  public boolean touches(TrialId trial) {
    return trials.containsKey(trial);
  }

  public boolean isEmpty() {
    return !experiment && trials.isEmpty() && withdrawn.isEmpty();
  }

  /** The trials whose rows are to be written. */
  public Collection<TrialState> trials() {
    return trials.values();
  }

  /** The trials whose rows are to go. */
  public List<TrialRef> withdrawn() {
    return withdrawn;
  }

  /** These changes with older ones that could not be stored. */
  public void mergeOlder(Changes older) {
    experiment |= older.experiment;
    older.trials.forEach(trials::putIfAbsent);
    withdrawn.addAll(0, older.withdrawn);
    withdrawn.forEach(ref -> trials.remove(ref.trial()));
  }
}
