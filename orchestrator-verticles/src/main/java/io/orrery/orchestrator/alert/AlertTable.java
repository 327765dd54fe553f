package io.orrery.orchestrator.alert;

import io.orrery.core.access.ProjectName;
import io.orrery.core.alert.Alert;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunId;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of alerts. */
public final class AlertTable {
  /** The most alerts of a project that are sent at once. */
  static final int MOST_OF_PROJECT = 2;

  private final Store store;

  public AlertTable(Store store) {
    this.store = store;
  }

  /**
   * An alert that is to be sent.
   *
   * @param subject the run, or what schedules are called in {@link AlertRows}
   * @param webhook the name of a secret; empty for a mail
   * @param mail the address; null for a request to a webhook
   * @param attempts that were made
   */
  record Waiting(
      String id,
      String subject,
      ProjectName project,
      String webhook,
      @Nullable String mail,
      String body,
      int attempts) {
    /** The id of what is told, which is the same for all receivers. */
    String told() {
      return mail == null ? id : id.substring(0, id.length() - AlertRows.mark(mail).length());
    }

    /** The run that it is about; empty when it is about a schedule. */
    Optional<RunId> run() {
      return AlertRows.isOfSchedule(subject) ? Optional.empty() : Optional.of(new RunId(subject));
    }
  }

  // ---- for the owner of runs -----------------------------------------------------------------

  /** The statements that store the alerts about a status; none when it is not told. */
  public static List<Statement> insert(AlertBody body) {
    RunAlerts alerts = body.run().alerts();
    return alerts == null || !alerts.on().contains(body.status())
        ? List.of()
        : AlertRows.insert(
            new Alert(
                body.id(),
                body.run().id().value(),
                body.run().project(),
                body.status().name(),
                alerts,
                body.text(),
                body.at()));
  }

  // ---- for the sender ------------------------------------------------------------------------

  /** The alerts whose time has come: of each project the few that have waited longest. */
  Future<List<Waiting>> due(Instant now, int most) {
    return store.read(
        Statement.of(
            "select id, run, project, webhook, mail, body, attempts from (select id, run, project,"
                + " webhook, mail, body, attempts, next_at, row_number() over (partition by project"
                + " order by next_at, id) as place from run_alerts where state = 'WAITING'"
                + " and next_at <= ?) waiting where place <= ? order by next_at, id limit ?",
            now.toEpochMilli(),
            MOST_OF_PROJECT,
            most),
        row ->
            new Waiting(
                row.text("id"),
                row.text("run"),
                new ProjectName(row.text("project")),
                row.text("webhook"),
                row.textOrNull("mail"),
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
