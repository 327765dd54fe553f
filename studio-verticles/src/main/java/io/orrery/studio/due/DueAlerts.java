package io.orrery.studio.due;

import io.orrery.core.alert.Alert;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.json.Json;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.sql.Statement;
import io.orrery.studio.schedule.ScheduleTable.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The statements that store alerts about due runs, for the write of what they tell. */
final class DueAlerts {
  private DueAlerts() {}

  /** Whether something is told. */
  static boolean tells(Stored stored, DueAlert what) {
    RunAlerts alerts = stored.alerts();
    return alerts != null && alerts.due().contains(what);
  }

  /**
   * The statements about a due run; none when it is not told.
   *
   * @param attempt how often it was run before
   */
  static List<Statement> of(
      Stored stored,
      DueAlert what,
      String dueRun,
      int attempt,
      Instant due,
      String reason,
      Instant now) {
    return of(stored, what, "%s-%d".formatted(dueRun, attempt), dueRun, due, reason, now);
  }

  /** The statements about instants that are not made up for, in their order, one at least. */
  static List<Statement> missed(Stored stored, List<Instant> instants, boolean more, Instant now) {
    Instant first = instants.getFirst();
    Instant last = instants.getLast();
    return of(
        stored,
        DueAlert.MISSED,
        "%s-%d".formatted(stored.pipeline(), last.toEpochMilli()),
        null,
        last,
        "the server came too late to %s%,d instant%s from %s to %s: they are not made up for"
            .formatted(
                more ? "more than " : "",
                instants.size(),
                instants.size() == 1 ? "" : "s",
                first,
                last),
        now);
  }

  private static List<Statement> of(
      Stored stored,
      DueAlert what,
      String key,
      @Nullable String dueRun,
      Instant due,
      String reason,
      Instant now) {
    RunAlerts alerts = stored.alerts();
    if (alerts == null || !alerts.due().contains(what)) {
      return List.of();
    }
    String id = "due-%s-%s".formatted(key, what.name().toLowerCase(Locale.ROOT));
    String body =
        Json.write(
            Json.MAPPER
                .createObjectNode()
                .put("id", id)
                .put("pipeline", stored.pipeline().value())
                .put("project", stored.project().value())
                .put("dueRun", Objects.toString(dueRun, null))
                .put("due", due.toString())
                .put("status", what.name())
                .put("reason", reason)
                .put("at", now.toString()));
    return AlertRows.insert(
        new Alert(
            id,
            AlertRows.ofSchedule(stored.pipeline()),
            stored.project(),
            what.name(),
            alerts,
            body,
            now));
  }
}
