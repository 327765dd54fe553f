package io.orrery.orchestrator.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment.Best;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The trials: one row each, holding the present state. */
final class TrialTable {
  private static final String COLUMNS =
      "experiment, id, sequence, phase, status, attempt, reason, ending, not_before,"
          + " parameter_sets, metric, metric_document, exit_code, directory, created_at,"
          + " started_at, ended_at, suggested, settled";

  private final Store store;

  TrialTable(Store store) {
    this.store = store;
  }

  /** The statement that stores a trial, new or changed. */
  Statement save(TrialState trial) {
    TrialState.Stored now = trial.stored();
    MetricValue metric = now.metric();
    return Statement.of(
        "insert into trials ("
            + COLUMNS
            + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " on conflict (experiment, id) do update set phase = excluded.phase,"
            + " status = excluded.status, attempt = excluded.attempt, reason = excluded.reason,"
            + " ending = excluded.ending, not_before = excluded.not_before,"
            + " parameter_sets = excluded.parameter_sets, metric = excluded.metric,"
            + " metric_document = excluded.metric_document, exit_code = excluded.exit_code,"
            + " directory = excluded.directory, started_at = excluded.started_at,"
            + " ended_at = excluded.ended_at, settled = excluded.settled",
        trial.ref.experiment().value(),
        trial.ref.trial().value(),
        trial.sequence,
        now.phase().name(),
        now.status().name(),
        now.attempt(),
        now.reason(),
        now.ending() == null ? null : now.ending().name(),
        millis(now.notBefore()),
        Json.write(trial.parameters),
        metric == null ? null : metric.number(),
        metric == null ? null : metric.document(),
        now.exitCode(),
        now.directory(),
        trial.createdAt.toEpochMilli(),
        millis(now.startedAt()),
        millis(now.endedAt()),
        trial.suggestedOrdinal,
        now.settledOrdinal());
  }

  Statement delete(TrialRef trial) {
    return Statement.of(
        "delete from trials where experiment = ? and id = ?",
        trial.experiment().value(),
        trial.trial().value());
  }

  /** The statement that drops an experiment's trials up to a sequence number, that one excluded. */
  Statement deleteBefore(ExperimentId experiment, long sequence) {
    return Statement.of(
        "delete from trials where experiment = ? and sequence < ?", experiment.value(), sequence);
  }

  /** The best result among the trials that have settled; see {@link Tally#consider}. */
  Future<Optional<Best>> best(ExperimentId experiment, Direction direction) {
    String order =
        switch (direction) {
          case MAXIMIZE -> "desc";
          case MINIMIZE -> "asc";
        };
    return store
        .read(
            Statement.of(
                "select "
                    + COLUMNS
                    + " from trials where experiment = ? and phase = 'SETTLED'"
                    + " and status in ('SUCCEEDED', 'EARLY_STOPPED') and metric between ? and ?"
                    + " order by metric "
                    + order
                    + ", sequence limit 1",
                experiment.value(),
                -Double.MAX_VALUE,
                Double.MAX_VALUE),
            row -> state(row).view())
        .map(rows -> rows.stream().findFirst().flatMap(TrialTable::best));
  }

  private static Optional<Best> best(Trial trial) {
    return Optional.ofNullable(trial.metric())
        .map(metric -> new Best(trial.ref().trial(), metric, trial.current().values()));
  }

  Future<Optional<TrialState>> find(TrialRef trial) {
    return store
        .read(
            Statement.of(
                "select " + COLUMNS + " from trials where experiment = ? and id = ?",
                trial.experiment().value(),
                trial.trial().value()),
            TrialTable::state)
        .map(rows -> rows.stream().findFirst());
  }

  /** What succeeded with which result, in no order. */
  Future<List<ImportedResult>> results(ExperimentId experiment) {
    return store.read(
        Statement.of(
            "select parameter_sets, metric, metric_document from trials"
                + " where experiment = ? and status = 'SUCCEEDED' and metric is not null",
            experiment.value()),
        row ->
            new ImportedResult(
                parameterSets(row.text("parameter_sets")).getLast().values(),
                Objects.requireNonNull(metric(row))));
  }

  /**
   * The last attempts of trials that succeeded and have no result.
   *
   * @param after the ordinal of their end is greater
   */
  Future<List<AttemptRef>> withoutResult(ExperimentId experiment, long after) {
    return store.read(
        Statement.of(
            "select id, attempt from trials where experiment = ? and settled > ?"
                + " and status = 'SUCCEEDED' and metric is null",
            experiment.value(),
            after),
        row ->
            new AttemptRef(
                new TrialRef(experiment, new TrialId(row.text("id"))),
                (int) row.integer("attempt")));
  }

  /** Those that have not settled, by sequence. */
  Future<List<TrialState>> moving(ExperimentId experiment) {
    return store.read(
        Statement.of(
            "select "
                + COLUMNS
                + " from trials where experiment = ? and phase <> 'SETTLED' order by sequence",
            experiment.value()),
        TrialTable::state);
  }

  /** The trials with these sequence numbers, in no order. */
  Future<List<Trial>> some(ExperimentId experiment, List<Long> sequences) {
    List<Object> arguments = new ArrayList<>(List.of(experiment.value()));
    arguments.addAll(sequences);
    return store.read(
        Statement.of(
            "select "
                + COLUMNS
                + " from trials where experiment = ? and sequence in ("
                + "?, ".repeat(sequences.size() - 1)
                + "?)",
            arguments.toArray()),
        row -> state(row).view());
  }

  /** What a tuner is rebuilt from: suggestions and ends, in the order in which they happened. */
  Future<Trials.History> history(Trials.ReadHistory wanted) {
    String sql =
        "select suggested as ordinal, 0 as ended, id, parameter_sets, status, metric, metric_document"
            + " from trials where experiment = ? and suggested > ?"
            + " union all select settled, 1, id, parameter_sets, status, metric, metric_document"
            + " from trials where experiment = ? and settled > ?"
            + " order by 1 limit ?";
    String id = wanted.experiment().value();
    return store
        .read(
            Statement.of(sql, id, wanted.after(), id, wanted.after(), wanted.limit()),
            TrialTable::entry)
        .map(Trials.History::new);
  }

  private static Trials.Entry entry(Row row) {
    ParameterSet set = parameterSets(row.text("parameter_sets")).getLast();
    long ordinal = row.integer("ordinal");
    return row.integer("ended") == 0
        ? new Trials.Suggested(ordinal, set.parameterId(), set.values())
        : new Trials.Settled(
            ordinal,
            new TrialId(row.text("id")),
            set.parameterId(),
            set.values(),
            TrialStatus.valueOf(row.text("status")),
            metric(row));
  }

  private static TrialState state(Row row) {
    TrialRef ref =
        new TrialRef(new ExperimentId(row.text("experiment")), new TrialId(row.text("id")));
    String ending = row.textOrNull("ending");
    Long exitCode = row.integerOrNull("exit_code");
    return new TrialState(
            ref,
            row.integer("sequence"),
            row.integer("suggested"),
            parameterSets(row.text("parameter_sets")),
            row.instant("created_at"))
        .restore(
            new TrialState.Stored(
                Phase.valueOf(row.text("phase")),
                TrialStatus.valueOf(row.text("status")),
                (int) row.integer("attempt"),
                row.textOrNull("reason"),
                ending == null ? null : TrialStatus.valueOf(ending),
                row.instantOrNull("not_before"),
                metric(row),
                exitCode == null ? null : exitCode.intValue(),
                row.textOrNull("directory"),
                row.instantOrNull("started_at"),
                row.instantOrNull("ended_at"),
                row.integerOrNull("settled")));
  }

  private static @Nullable MetricValue metric(Row row) {
    Double number = row.realOrNull("metric");
    return number == null ? null : new MetricValue(number, row.textOrNull("metric_document"));
  }

  static List<ParameterSet> parameterSets(String json) {
    try {
      return Json.MAPPER.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }
}
