package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.id.TrialId;
import io.orrery.orchestrator.experiment.model.Changes;
import io.orrery.orchestrator.experiment.model.Decision;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.vertx.core.Promise;
import java.util.List;

/** The changes that are written together, with what is done and who hears of it afterwards. */
record FaultCommit(
    Changes changes, List<Decision.AfterCommit> decided, List<Promise<Void>> waiting) {
  FaultDisk.Write write(ExperimentRecord record) {
    return new FaultDisk.Write(
        record,
        changes.trials().stream().map(FaultDisk.Row::of).toList(),
        List.copyOf(changes.withdrawn()));
  }

  /** The trials whose plan becomes durable. */
  List<TrialId> planned() {
    return changes.trials().stream()
        .filter(trial -> trial.phase() == Phase.PLANNED)
        .map(trial -> trial.ref.trial())
        .toList();
  }

  /** Adds one that was not written, before what came since. */
  void mergeOlder(FaultCommit older) {
    changes.mergeOlder(older.changes);
    decided.addAll(0, older.decided);
    waiting.addAll(0, older.waiting);
  }
}
