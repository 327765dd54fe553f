package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment.Best;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ImportedResult;
import io.orrery.orchestrator.experiment.model.TrialTally;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The trials: one row each, holding the present state. */
public final class TrialTable {
  private static final String COLUMNS =
      "experiment, id, sequence, phase, status, attempt, reason, ending, not_before,"
          + " parameter_sets, metric, metric_document, exit_code, directory, created_at,"
          + " started_at, ended_at, suggested, settled";

  private static final String PLACES =
      "select trial, place, suggested, settled, status from trial_sets";

  private static final String MOVING = " from trials where experiment = ? and phase <> 'SETTLED'";

  private final Store store;

  public TrialTable(Store store) {
    this.store = store;
  }

  /** The statements that store a trial, new or changed. */
  public List<Statement> save(TrialState trial) {
    TrialState.Stored row = trial.row();
    if (row != null && !trial.sets().several()) {
      return List.of(change(trial, row));
    }
    List<Statement> statements = new ArrayList<>(List.of(row(trial)));
    if (trial.sets().several()) {
      trial.sets().all().forEach(set -> statements.add(place(trial.ref, set)));
    }
    return statements;
  }

  /**
   * Changes a row of which is known what it holds. Its only set is what it was, and to write the
   * same result once more would move the row in the indexes of results and ends.
   */
  private static Statement change(TrialState trial, TrialState.Stored row) {
    TrialState.Stored now = trial.stored();
    List<@Nullable Object> arguments = new ArrayList<>(progress(now));
    arguments.addAll(
        Arrays.asList(
            now.exitCode(), now.directory(), millis(now.startedAt()), millis(now.endedAt())));
    boolean result =
        !Objects.equals(now.metric(), row.metric())
            || !Objects.equals(now.settledOrdinal(), row.settledOrdinal());
    if (result) {
      arguments.addAll(metric(now));
      arguments.add(now.settledOrdinal());
    }
    arguments.add(trial.ref.experiment().value());
    arguments.add(trial.ref.trial().value());
    String sql =
        "update trials set phase = ?, status = ?, attempt = ?, reason = ?, ending = ?,"
            + " not_before = ?, exit_code = ?, directory = ?, started_at = ?, ended_at = ?"
            + (result ? ", metric = ?, metric_document = ?, settled = ?" : "")
            + " where experiment = ? and id = ?";
    return new Statement(sql, arguments, 1);
  }

  private static Statement place(TrialRef trial, GivenSet set) {
    TrialStatus status = set.status();
    return Statement.of(
        "insert into trial_sets (experiment, trial, place, suggested, settled, status)"
            + " values (?, ?, ?, ?, ?, ?) on conflict (experiment, trial, place) do update set"
            + " settled = excluded.settled, status = excluded.status",
        trial.experiment().value(),
        trial.trial().value(),
        set.set().index(),
        set.suggested(),
        set.settled(),
        status == null ? null : status.name());
  }

  private static Statement row(TrialState trial) {
    TrialState.Stored now = trial.stored();
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(trial.ref.experiment().value());
    arguments.add(trial.ref.trial().value());
    arguments.add(trial.sequence);
    arguments.addAll(progress(now));
    arguments.add(Json.write(countedLast(trial)));
    arguments.addAll(metric(now));
    arguments.addAll(
        Arrays.asList(
            now.exitCode(),
            now.directory(),
            trial.createdAt.toEpochMilli(),
            millis(now.startedAt()),
            millis(now.endedAt()),
            trial.sets().all().getFirst().suggested(),
            now.settledOrdinal()));
    String sql =
        "insert into trials ("
            + COLUMNS
            + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " on conflict (experiment, id) do update set phase = excluded.phase,"
            + " status = excluded.status, attempt = excluded.attempt, reason = excluded.reason,"
            + " ending = excluded.ending, not_before = excluded.not_before,"
            + " parameter_sets = excluded.parameter_sets, metric = excluded.metric,"
            + " metric_document = excluded.metric_document, exit_code = excluded.exit_code,"
            + " directory = excluded.directory, started_at = excluded.started_at,"
            + " ended_at = excluded.ended_at, settled = excluded.settled";
    return new Statement(sql, arguments, null);
  }

  /** From the phase to the earliest start. */
  private static List<@Nullable Object> progress(TrialState.Stored now) {
    return Arrays.asList(
        now.phase().name(),
        now.status().name(),
        now.attempt(),
        now.reason(),
        now.ending() == null ? null : now.ending().name(),
        millis(now.notBefore()));
  }

  /** The number of its metric and the document around it. */
  private static List<@Nullable Object> metric(TrialState.Stored now) {
    MetricValue metric = now.metric();
    return metric == null
        ? Arrays.asList(null, null)
        : Arrays.asList(metric.number(), metric.document());
  }

  /**
   * What narrows, sorts and draws trials looks at the last set: that is to be the one that counts.
   */
  private static List<ParameterSet> countedLast(TrialState trial) {
    List<GivenSet> given = trial.sets().all();
    if (given.size() == 1) {
      return List.of(given.getFirst().set());
    }
    Trial view = trial.view();
    List<ParameterSet> sets = new ArrayList<>(view.parameters());
    sets.remove(view.counted());
    sets.add(view.counted());
    return sets;
  }

  public Statement delete(TrialRef trial) {
    return Statement.of(
        "delete from trials where experiment = ? and id = ?",
        trial.experiment().value(),
        trial.trial().value());
  }

  /** The statements that drop an experiment's trials up to a sequence number, that one excluded. */
  public List<Statement> deleteBefore(ExperimentId experiment, long sequence) {
    String which = " where experiment = ? and sequence < ?";
    return List.of(
        Statement.of(
            "delete from trial_sets where experiment = ? and trial in (select id from trials"
                + which
                + ")",
            experiment.value(),
            experiment.value(),
            sequence),
        Statement.of("delete from trials" + which, experiment.value(), sequence));
  }

  /** The best result among the trials that have settled; see {@link TrialTally#consider}. */
  public Future<Optional<Best>> best(ExperimentId experiment, Direction direction) {
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
            TrialRows::trial)
        .map(rows -> rows.stream().findFirst().flatMap(TrialTable::best));
  }

  private static Optional<Best> best(Trial trial) {
    return Optional.ofNullable(trial.metric())
        .map(metric -> new Best(trial.ref().trial(), metric, trial.counted().values()));
  }

  public Future<Optional<TrialState>> find(TrialRef trial) {
    return store
        .read(
            Statement.of(
                "select " + COLUMNS + " from trials where experiment = ? and id = ?",
                trial.experiment().value(),
                trial.trial().value()),
            TrialRows::state)
        .compose(rows ->
            recall(
                rows,
                Statement.of(
                    PLACES + " where experiment = ? and trial = ?",
                    trial.experiment().value(),
                    trial.trial().value())))
        .map(rows -> rows.stream().findFirst());
  }

  /** Gives trials the places of their sets. */
  private Future<List<TrialState>> recall(List<TrialState> trials, Statement places) {
    Map<String, TrialState> byId = new HashMap<>();
    trials.forEach(trial -> byId.put(trial.ref.trial().value(), trial));
    return trials.isEmpty()
        ? Future.succeededFuture(trials)
        : store.read(places, row -> TrialRows.recall(byId, row)).map(recalled -> trials);
  }

  /** What succeeded with which result, in no order. */
  public Future<List<ImportedResult>> results(ExperimentId experiment) {
    return store
        .read(
            Statement.of(
                "select parameter_sets, metric, metric_document from trials"
                    + " where experiment = ? and status = 'SUCCEEDED' and metric is not null",
                experiment.value()),
            TrialRows::results)
        .map(rows -> rows.stream().flatMap(List::stream).toList());
  }

  /**
   * The last attempts of trials that have no result, or the last report before their early end in
   * its stead; and of those of several sets, any of which may lack one.
   *
   * @param after the ordinal of their end is greater
   */
  public Future<List<AttemptRef>> withoutResult(ExperimentId experiment, long after) {
    return store.read(
        Statement.of(
            "select id, attempt from trials t where experiment = ? and settled > ?"
                + " and (metric is null or status = 'EARLY_STOPPED' or exists (select 1 from"
                + " trial_sets s where s.experiment = t.experiment and s.trial = t.id))",
            experiment.value(),
            after),
        row ->
            new AttemptRef(
                new TrialRef(experiment, new TrialId(row.text("id"))),
                (int) row.integer("attempt")));
  }

  /** Those that have not settled, by sequence. */
  public Future<List<TrialState>> moving(ExperimentId experiment) {
    return store
        .read(rowsOfMoving(experiment), TrialRows::state)
        .compose(rows -> recall(rows, placesOfMoving(experiment)));
  }

  static Statement rowsOfMoving(ExperimentId experiment) {
    return Statement.of("select " + COLUMNS + MOVING + " order by sequence", experiment.value());
  }

  static Statement placesOfMoving(ExperimentId experiment) {
    return Statement.of(
        PLACES + " where experiment = ? and trial in (select id" + MOVING + ")",
        experiment.value(),
        experiment.value());
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
        TrialRows::trial);
  }

  /**
   * What finds a row when a query has named it: on SQLite without an index between, which of a
   * hundred rows that lie far apart is most of the cost.
   */
  String place() {
    return switch (store.engine()) {
      case SQLITE -> "trials.rowid";
      case POSTGRESQL -> "sequence";
    };
  }

  /**
   * The trials of an experiment that a query finds.
   *
   * @param found tells their {@link #place} as {@code place}, beside other columns for the order
   */
  Future<List<Trial>> found(ExperimentId experiment, Statement found, String order) {
    List<@Nullable Object> arguments = new ArrayList<>(found.arguments());
    arguments.add(experiment.value());
    // Of a cross join SQLite begins with the left; else it may go through all trials by the order.
    return store.read(
        Statement.of(
            "select %s from (%s) as found cross join trials where experiment = ? and %s = place order by %s"
                .formatted(COLUMNS, found.sql(), place(), order),
            arguments.toArray()),
        TrialRows::trial);
  }

  /** What a tuner is rebuilt from: suggestions and ends, in the order in which they happened. */
  public Future<Trials.History> history(Trials.ReadHistory wanted) {
    String own =
        " and not exists (select 1 from trial_sets where experiment = t.experiment and trial = t.id)";
    String row =
        " t.id, -1 as place, t.parameter_sets, t.status, t.metric, t.metric_document,"
            + " t.started_at, t.ended_at from trials t where t.experiment = ? and t.";
    String set =
        " t.id, s.place, t.parameter_sets, s.status, t.metric, t.metric_document,"
            + " null as started_at, null as ended_at from trial_sets s join trials t on t.experiment = s.experiment and t.id = s.trial"
            + " where s.experiment = ? and s.";
    String sql =
        ("select t.suggested as ordinal, 0 as ended," + row + "suggested > ?" + own)
            + (" union all select t.settled, 1," + row + "settled > ?" + own)
            + (" union all select s.suggested, 0," + set + "suggested > ?")
            + (" union all select s.settled, 1," + set + "settled > ?")
            + " order by 1 limit ?";
    String id = wanted.experiment().value();
    long after = wanted.after();
    // Nearly every trial stands twice on its page, and reading its values is most of what that
    // costs.
    Map<String, List<ParameterSet>> read = new HashMap<>();
    return store
        .read(
            Statement.of(sql, id, after, id, after, id, after, id, after, wanted.limit()),
            found -> TrialRows.entry(found, read))
        .map(Trials.History::new);
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }
}
