package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.experiment.Experiment.Best;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.TrialTally;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The disk that survives the server: rows, and what trials reported. */
final class FaultDisk {
  /** A trial as it was when it was written. */
  record Row(
      TrialRef ref,
      long sequence,
      Instant createdAt,
      List<GivenSet> sets,
      TrialState.Stored stored) {
    static Row of(TrialState trial) {
      return new Row(
          trial.ref, trial.sequence, trial.createdAt, trial.sets().all(), trial.stored());
    }

    TrialState state() {
      return new TrialState(ref, sequence, sets, createdAt).restore(stored);
    }
  }

  /** A result, and the set that it is of. */
  record Reported(MetricValue value, @Nullable String parameterId) {}

  /** A commit: all of it or nothing. */
  record Write(ExperimentRecord record, List<Row> rows, List<TrialRef> withdrawn) {}

  ExperimentRecord record;
  final Map<TrialId, Row> rows = new LinkedHashMap<>();
  final Map<AttemptRef, Reported> finals = new HashMap<>();
  final Map<AttemptRef, Reported> latest = new HashMap<>();

  /** All final results of an attempt, by the set that they are of. */
  final Map<AttemptRef, Map<String, MetricValue>> all = new HashMap<>();

  FaultDisk(ExperimentRecord record) {
    this.record = record;
  }

  void commit(Write write) {
    record = write.record();
    write.withdrawn().forEach(ref -> rows.remove(ref.trial()));
    write.rows().forEach(row -> rows.put(row.ref().trial(), row));
  }

  List<TrialState> moving() {
    return rows.values().stream()
        .filter(row -> row.stored().phase() != Phase.SETTLED)
        .sorted(Comparator.comparingLong(Row::sequence))
        .map(Row::state)
        .toList();
  }

  Optional<TrialState> find(TrialId trial) {
    return Optional.ofNullable(rows.get(trial)).map(Row::state);
  }

  /** As {@link TrialTable#withoutResult} finds them. */
  List<AttemptRef> withoutResult() {
    return rows.values().stream()
        .filter(row -> row.stored().phase() == Phase.SETTLED)
        .filter(row ->
            row.stored().metric() == null
                || row.stored().status() == TrialStatus.EARLY_STOPPED
                || row.state().sets().several())
        .map(row -> row.state().attempt())
        .toList();
  }

  /** As {@link TrialTable#best} finds it. */
  Optional<Best> best(Direction direction) {
    TrialTally tally = new TrialTally(Map.of(), null);
    new ArrayList<>(rows.values())
        .stream()
            .filter(row -> row.stored().phase() == Phase.SETTLED)
            .sorted(Comparator.comparingLong(Row::sequence))
            .forEach(row -> tally.consider(row.state(), direction));
    return tally.best();
  }
}
