package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Row;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ImportedResult;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialDuration;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts rows of trials and of their parameter sets. Which of them are read, {@link TrialTable}
 * knows.
 */
final class TrialRows {
  private TrialRows() {}

  /**
   * The trial as its experiment's owner takes it up again; the ends of several sets are not here.
   */
  static TrialState state(Row row) {
    Trial trial = trial(row);
    long suggested = row.integer("suggested");
    TrialState.Stored stored =
        new TrialState.Stored(
            Phase.valueOf(row.text("phase")),
            trial.status(),
            trial.attempt(),
            trial.reason(),
            status(row, "ending"),
            row.instantOrNull("not_before"),
            trial.metric(),
            trial.exitCode(),
            trial.directory(),
            trial.startedAt(),
            trial.endedAt(),
            row.integerOrNull("settled"));
    return new TrialState(
            trial.ref(),
            trial.sequenceId(),
            trial.parameters().stream().map(set -> new GivenSet(set, suggested)).toList(),
            trial.createdAt())
        .restore(stored)
        .rowIs(stored);
  }

  /** The trial as others see it. */
  static Trial trial(Row row) {
    List<ParameterSet> sets = StoredSets.read(row.text("parameter_sets"));
    if (sets.size() > 1) {
      sets.sort(Comparator.comparingInt(ParameterSet::index));
    }
    Long exitCode = row.integerOrNull("exit_code");
    return new Trial(
        new TrialRef(new ExperimentId(row.text("experiment")), new TrialId(row.text("id"))),
        row.integer("sequence"),
        TrialStatus.valueOf(row.text("status")),
        row.textOrNull("reason"),
        (int) row.integer("attempt"),
        sets,
        metric(row),
        exitCode == null ? null : exitCode.intValue(),
        row.textOrNull("directory"),
        row.instant("created_at"),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        List.of());
  }

  /**
   * Gives a trial the place of one of its sets.
   *
   * @param trials by id
   */
  static int recall(Map<String, TrialState> trials, Row row) {
    TrialState trial = trials.get(row.text("trial"));
    int place = (int) row.integer("place");
    if (trial != null) {
      trial.recall(
          place, row.integer("suggested"), row.integerOrNull("settled"), status(row, "status"));
    }
    return place;
  }

  /** What was tried with which result: of several sets, those that have one. */
  static List<ImportedResult> results(Row row) {
    List<ParameterSet> sets = StoredSets.read(row.text("parameter_sets"));
    if (sets.size() == 1) {
      MetricValue metric = Objects.requireNonNull(metric(row));
      return List.of(new ImportedResult(sets.getFirst().values(), metric));
    }
    List<ImportedResult> results = new ArrayList<>();
    for (ParameterSet set : sets) {
      if (set.result() != null) {
        results.add(new ImportedResult(set.values(), set.result()));
      }
    }
    return results;
  }

  /**
   * A suggestion, or an end.
   *
   * @param read the sets of the trials before it, by their ids
   */
  static Trials.Entry entry(Row row, Map<String, List<ParameterSet>> read) {
    List<ParameterSet> sets =
        read.computeIfAbsent(row.text("id"), id -> StoredSets.read(row.text("parameter_sets")));
    long place = row.integer("place");
    ParameterSet set =
        sets.stream().filter(one -> one.index() == place).findFirst().orElseGet(sets::getLast);
    long ordinal = row.integer("ordinal");
    return row.integer("ended") == 0
        ? new Trials.Suggested(ordinal, set.parameterId(), set.values())
        : TrialDuration.of(
            new Trials.Settled(
                ordinal,
                new TrialId(row.text("id")),
                set.parameterId(),
                set.values(),
                TrialStatus.valueOf(row.text("status")),
                place < 0 ? metric(row) : set.result()),
            row.instantOrNull("started_at"),
            row.instantOrNull("ended_at"));
  }

  private static @Nullable TrialStatus status(Row row, String column) {
    String status = row.textOrNull(column);
    return status == null ? null : TrialStatus.valueOf(status);
  }

  private static @Nullable MetricValue metric(Row row) {
    Double number = row.realOrNull("metric");
    return number == null ? null : new MetricValue(number, row.textOrNull("metric_document"));
  }
}
