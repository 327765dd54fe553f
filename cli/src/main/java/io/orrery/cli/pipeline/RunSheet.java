package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/** Prints runs: as a table, or one with its steps and reasons. */
final class RunSheet {
  private static final Set<String> OVER = Set.of("SUCCEEDED", "FAILED", "STOPPED");

  private RunSheet() {}

  /** Whether a run is over. */
  static boolean isOver(JsonNode run) {
    return OVER.contains(run.path("status").asText());
  }

  static void table(Session session, List<JsonNode> runs) {
    Table table =
        new Table(
            Column.text("ID"),
            Column.text("PIPELINE"),
            Column.text("VERSION"),
            Column.text("STATUS"),
            Column.text("OWNER"),
            Column.text("CREATED"),
            Column.text("ENDED"));
    runs.forEach(run ->
        table.row(
            run.path("id").asText(),
            run.path("pipeline").asText(),
            Long.toString(run.path("version").asLong()),
            run.path("status").asText(),
            run.path("owner").asText(),
            run.path("createdAt").asText(),
            run.path("endedAt").asText("-")));
    table.print(session.terminal());
  }

  static void print(Session session, JsonNode run) {
    PrintStream out = session.terminal().out();
    out.printf(
        "run %s of %s, version %d: %s%n",
        run.path("id").asText(),
        run.path("pipeline").asText(),
        run.path("version").asLong(),
        run.path("status").asText());
    if (run.path("error").isTextual()) {
      out.println("  " + run.path("error").asText());
    }
    if (!run.path("parameters").isEmpty()) {
      out.println("  parameters " + run.path("parameters"));
    }
    Table table =
        new Table(
            Column.text("STEP"),
            Column.text("STATUS"),
            Column.text("ATTEMPT"),
            Column.text("EXIT"),
            Column.text("OUTPUTS"),
            Column.text("REASON"));
    for (JsonNode step : run.path("steps")) {
      table.row(
          step.path("name").asText(),
          step.path("status").asText(),
          Integer.toString(step.path("attempt").asInt()),
          step.path("exitCode").isInt() ? step.path("exitCode").asText() : "-",
          outputs(step),
          step.path("reason").asText("-"));
    }
    table.print(session.terminal());
    if (!run.path("alerts").isEmpty()) {
      alerts(session, run.path("alerts"));
    }
  }

  private static void alerts(Session session, JsonNode alerts) {
    Table table =
        new Table(
            Column.text("ALERT"),
            Column.text("STATE"),
            Column.text("ATTEMPTS"),
            Column.text("NEXT"),
            Column.text("OUTCOME"));
    for (JsonNode alert : alerts) {
      table.row(
          alert.path("status").asText(),
          alert.path("state").asText(),
          Integer.toString(alert.path("attempts").asInt()),
          alert.path("nextAt").asText("-"),
          alert.path("outcome").asText("-"));
    }
    table.print(session.terminal());
  }

  private static String outputs(JsonNode step) {
    StringBuilder text = new StringBuilder();
    step.path("outputs")
        .properties()
        .forEach(entry -> {
          JsonNode output = entry.getValue();
          String shown =
              output.path("value").isTextual()
                  ? output.path("value").asText()
                  : output.path("digest").asText("").replaceAll("^(.{12}).*", "$1");
          String line = shown.lines().findFirst().orElse("");
          text.append(text.isEmpty() ? "" : " ")
              .append(entry.getKey())
              .append('=')
              .append(line.length() > 40 ? line.substring(0, 40) + "…" : line);
        });
    return text.isEmpty() ? "-" : text.toString();
  }
}
