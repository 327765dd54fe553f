package io.orrery.core.alert;

import io.orrery.core.bus.contract.PipelineRuns.AlertDelivery;
import io.orrery.core.bus.contract.PipelineRuns.AlertState;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of alerts as those write and show them that have something to tell. */
public final class AlertRows {
  public static final Migrations MIGRATIONS =
      new Migrations("alerts", AlertRows.class, List.of("0001-alerts.sql", "0002-mail.sql"));

  /** The most alerts of a project that wait; further ones are dropped. */
  public static final int MOST_WAITING = 1_000;

  private static final String SCHEDULE = "schedule:";
  private static final int MOST_SHOWN = 100;
  private static final String ROOM =
      "(select count(*) from run_alerts where project = ? and state = 'WAITING') < " + MOST_WAITING;

  private AlertRows() {}

  /** The subject of alerts about the schedule of a pipeline. */
  public static String ofSchedule(PipelineName pipeline) {
    return SCHEDULE + pipeline.value();
  }

  public static boolean isOfSchedule(String subject) {
    return subject.startsWith(SCHEDULE);
  }

  /** The end of the id of a row that is a mail. */
  public static String mark(String address) {
    return "-to-" + address;
  }

  /** The statements that store an alert, a row for each receiver; one that is there stays. */
  public static List<Statement> insert(Alert alert) {
    List<Statement> statements = new ArrayList<>();
    String webhook = alert.to().webhook();
    if (webhook != null) {
      statements.add(insert(alert, alert.id(), webhook, null));
    }
    for (String address : alert.to().mail()) {
      statements.add(insert(alert, alert.id() + mark(address), "", address));
    }
    return statements;
  }

  private static Statement insert(Alert alert, String id, String webhook, @Nullable String mail) {
    String project = alert.project().value();
    long now = alert.at().toEpochMilli();
    return Statement.of(
        "insert into run_alerts (id, run, project, status, state, webhook, mail, body, attempts,"
            + " next_at, outcome, created_at) values (?, ?, ?, ?, case when "
            + ROOM
            + " then 'WAITING' else 'DROPPED' end, ?, ?, ?, 0, case when "
            + ROOM
            + " then cast(? as bigint) end, case when "
            + ROOM
            + " then null else '"
            + MOST_WAITING
            + " alerts of the project wait already' end, ?) on conflict (id) do nothing",
        id,
        alert.subject(),
        project,
        alert.status(),
        project,
        webhook,
        mail,
        alert.body(),
        project,
        now,
        project,
        now);
  }

  /** The statement that forgets the alerts about a run or schedule. */
  public static Statement forget(String subject) {
    return Statement.of("delete from run_alerts where run = ?", subject);
  }

  /** The latest alerts about a run or schedule, the oldest first. */
  public static Future<List<AlertDelivery>> of(Store store, String subject) {
    return store
        .read(
            Statement.of(
                "select id, status, mail, state, attempts, outcome, created_at, attempted_at,"
                    + " next_at from run_alerts where run = ?"
                    + " order by created_at desc, id desc limit ?",
                subject,
                MOST_SHOWN),
            AlertRows::shown)
        .map(List::reversed);
  }

  private static AlertDelivery shown(Row row) {
    return new AlertDelivery(
        row.text("id"),
        row.text("status"),
        row.textOrNull("mail"),
        AlertState.valueOf(row.text("state")),
        Math.toIntExact(row.integer("attempts")),
        row.textOrNull("outcome"),
        row.instant("created_at"),
        row.instantOrNull("attempted_at"),
        row.instantOrNull("next_at"));
  }
}
