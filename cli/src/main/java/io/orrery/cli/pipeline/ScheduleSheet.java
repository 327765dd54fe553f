package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints schedules and due runs. */
final class ScheduleSheet {
  private ScheduleSheet() {}

  static void print(Session session, JsonNode schedule) {
    PrintStream out = session.terminal().out();
    List<String> cron = new ArrayList<>();
    schedule.path("cron").forEach(each -> cron.add(each.asText()));
    out.printf(
        "%s: %s in %s%s%n",
        schedule.path("pipeline").asText(),
        String.join(" | ", cron),
        schedule.path("timeZone").asText(),
        schedule.path("paused").asBoolean() ? ", paused" : "");
    out.printf(
        "  dependsOnPast %s, maxActiveRuns %d, keep %d, missed %s%n",
        schedule.path("dependsOnPast").asBoolean(),
        schedule.path("maxActiveRuns").asInt(),
        schedule.path("keep").asInt(),
        schedule.path("missed").asText());
    schedule.path("upcoming").forEach(at -> out.println("  next " + at.asText()));
  }

  static void dueRuns(Session session, List<JsonNode> all) {
    Table table =
        new Table(
            Column.text("ID"),
            Column.text("DUE"),
            Column.text("STATUS"),
            Column.text("RUN"),
            Column.text("RUN STATUS"),
            Column.text("REASON"));
    all.forEach(due ->
        table.row(
            due.path("id").asText(),
            due.path("due").asText(),
            due.path("status").asText(),
            due.path("run").asText("-"),
            due.path("runStatus").asText("-"),
            due.path("reason").asText("")));
    table.print(session.terminal());
  }
}
