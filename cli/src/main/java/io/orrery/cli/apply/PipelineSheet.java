package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;
import java.util.Locale;

/** Prints templates and pipelines as tables. */
public final class PipelineSheet {
  private static final long MEGABYTE = 1 << 20;

  private PipelineSheet() {}

  /** Prints a line for each template. */
  public static void templates(Session session, List<JsonNode> templates) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("GROUP"),
            Column.text("VERSION"),
            Column.text("PROJECT"),
            Column.text("OWNER"),
            Column.text("TITLE"));
    templates.forEach(template ->
        table.row(
            template.path("name").asText(),
            template.path("group").asText("-"),
            template.path("version").asText(),
            template.path("project").asText(),
            template.path("builtIn").asBoolean() ? "(server)" : template.path("owner").asText(),
            template.path("title").asText("-")));
    table.print(session.terminal());
  }

  /** Prints a line for each pipeline. */
  public static void pipelines(Session session, List<JsonNode> pipelines) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("VERSION"),
            Column.text("TASKS"),
            Column.text("PROJECT"),
            Column.text("OWNER"),
            Column.text("CHANGED"));
    pipelines.forEach(pipeline ->
        table.row(
            pipeline.path("name").asText(),
            Long.toString(pipeline.path("revision").asLong()),
            Integer.toString(pipeline.path("tasks").size()),
            pipeline.path("project").asText(),
            pipeline.path("owner").asText(),
            pipeline.path("changedAt").asText()));
    table.print(session.terminal());
  }

  /** Prints a line for each task that was measured, then what could be asked for. */
  public static void advice(Session session, JsonNode tasks) {
    Table table =
        new Table(
            Column.text("TASK"), Column.text("RUNS"), Column.text("MEMORY"), Column.text("CPUS"));
    tasks.forEach(task ->
        table.row(
            task.path("task").asText(),
            Integer.toString(task.path("runs").asInt()),
            task.path("memoryBytes").asLong() / MEGABYTE + "M",
            String.format(Locale.ROOT, "%.1f", task.path("cpus").asDouble())));
    table.print(session.terminal());
    tasks.forEach(task ->
        task.path("words")
            .forEach(words ->
                session.terminal().say(task.path("task").asText() + ": " + words.asText())));
  }

  /** Prints a line for each version. */
  public static void versions(Session session, List<JsonNode> versions) {
    Table table = new Table(Column.text("VERSION"), Column.text("AT"), Column.text("BY"));
    versions.forEach(version ->
        table.row(
            Long.toString(version.path("version").asLong()),
            version.path("at").asText(),
            version.path("by").asText()));
    table.print(session.terminal());
  }
}
