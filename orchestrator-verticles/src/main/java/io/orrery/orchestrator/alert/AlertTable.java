package io.orrery.orchestrator.alert;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.PipelineRuns.AlertDelivery;
import io.orrery.core.bus.contract.PipelineRuns.AlertState;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of alerts. */
public final class AlertTable {
  public static final Migrations MIGRATIONS =
      new Migrations("alerts", AlertTable.class, List.of("0001-alerts.sql"));

  /** The most alerts of a project that wait; further ones are dropped. */
  static final int MOST_WAITING = 1_000;

  /** The most alerts of a project that are sent at once. */
  static final int MOST_OF_PROJECT = 2;

  private static final int MOST_SHOWN = 100;

  private final Store store;

  public AlertTable(Store store) {
    this.store = store;
  }

  /**
   * An alert that is to be sent.
   *
   * @param attempts that were made
   */
  record Waiting(
      String id, RunId run, ProjectName project, String webhook, String body, int attempts) {}

  // ---- for the owner of runs -----------------------------------------------------------------

  /** The statement that stores the alert about a status; empty when it is not told. */
  public static Optional<Statement> insert(AlertBody body) {
    RunAlerts alerts = body.run().alerts();
    if (alerts == null || !alerts.on().contains(body.status())) {
      return Optional.empty();
    }
    String project = body.run().project().value();
    long now = body.at().toEpochMilli();
    String room =
        "(select count(*) from run_alerts where project = ? and state = 'WAITING') < "
            + MOST_WAITING;
    return Optional.of(
        Statement.of(
            "insert into run_alerts (id, run, project, status, state, webhook, body, attempts,"
                + " next_at, outcome, created_at) values (?, ?, ?, ?, case when "
                + room
                + " then 'WAITING' else 'DROPPED' end, ?, ?, 0, case when "
                + room
                + " then cast(? as bigint) end, case when "
                + room
                + " then null else '"
                + MOST_WAITING
                + " alerts of the project wait already' end, ?) on conflict (id) do nothing",
            body.id(),
            body.run().id().value(),
            project,
            body.status().name(),
            project,
            alerts.webhook(),
            body.text(),
            project,
            now,
            project,
            now));
  }

  /** The statement that forgets the alerts of a run. */
  public static Statement forget(RunId run) {
    return Statement.of("delete from run_alerts where run = ?", run.value());
  }

  /** The latest alerts of a run, the oldest first. */
  public Future<List<AlertDelivery>> of(RunId run) {
    return store
        .read(
            Statement.of(
                "select id, status, state, attempts, outcome, created_at, attempted_at, next_at"
                    + " from run_alerts where run = ? order by created_at desc, id desc limit ?",
                run.value(),
                MOST_SHOWN),
            AlertTable::shown)
        .map(List::reversed);
  }

  private static AlertDelivery shown(Row row) {
    return new AlertDelivery(
        row.text("id"),
        RunStatus.valueOf(row.text("status")),
        AlertState.valueOf(row.text("state")),
        Math.toIntExact(row.integer("attempts")),
        row.textOrNull("outcome"),
        row.instant("created_at"),
        row.instantOrNull("attempted_at"),
        row.instantOrNull("next_at"));
  }

  // ---- for the sender ------------------------------------------------------------------------

  /** The alerts whose time has come: of each project the few that have waited longest. */
  Future<List<Waiting>> due(Instant now, int most) {
    return store.read(
        Statement.of(
            "select id, run, project, webhook, body, attempts from (select id, run, project,"
                + " webhook, body, attempts, next_at, row_number() over (partition by project"
                + " order by next_at, id) as place from run_alerts where state = 'WAITING'"
                + " and next_at <= ?) waiting where place <= ? order by next_at, id limit ?",
            now.toEpochMilli(),
            MOST_OF_PROJECT,
            most),
        row ->
            new Waiting(
                row.text("id"),
                new RunId(row.text("run")),
                new ProjectName(row.text("project")),
                row.text("webhook"),
                row.text("body"),
                Math.toIntExact(row.integer("attempts"))));
  }

  /** The first time after now at which an alert is to be sent. */
  Future<Optional<Instant>> next(Instant now) {
    return store
        .read(
            Statement.of(
                "select next_at from run_alerts where state = 'WAITING' and next_at > ?"
                    + " order by next_at limit 1",
                now.toEpochMilli()),
            row -> row.instant("next_at"))
        .map(rows -> rows.stream().findFirst());
  }

  /** Stores the outcome of an attempt. */
  Future<Void> settle(Waiting sent, AlertPlan.Step step, AlertOutcome outcome, Instant now) {
    return store.write(
        List.of(
            Statement.of(
                "update run_alerts set state = ?, attempts = ?, next_at = ?, outcome = ?,"
                    + " attempted_at = ? where id = ? and state = 'WAITING'",
                step.state().name(),
                sent.attempts() + 1,
                millis(step.nextAt()),
                outcome.words(),
                now.toEpochMilli(),
                sent.id())));
  }

  /** Forgets old alerts that are not sent any more. */
  Future<Void> forgetBefore(Instant created) {
    return store.write(
        List.of(
            Statement.of(
                "delete from run_alerts where created_at < ? and state <> 'WAITING'",
                created.toEpochMilli())));
  }

  private static @Nullable Long millis(@Nullable Instant at) {
    return at == null ? null : at.toEpochMilli();
  }
}
