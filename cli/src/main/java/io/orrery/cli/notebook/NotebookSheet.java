package io.orrery.cli.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.PrintStream;
import java.util.List;

/** Prints notebooks: as a table, or one with its events and what would help. */
public final class NotebookSheet {
  private static final int EVENTS = 10;

  private NotebookSheet() {}

  /** Prints a line for each notebook. */
  public static void table(Session session, List<JsonNode> notebooks) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("STATUS"),
            Column.text("IDE"),
            Column.text("OWNER"),
            Column.text("PROJECT"),
            Column.text("EXPIRES"),
            Column.text("REASON"));
    for (JsonNode notebook : notebooks) {
      JsonNode state = notebook.path("state");
      table.row(
          notebook.path("name").asText(),
          state.path("status").asText(),
          notebook.path("ide").asText(),
          notebook.path("owner").asText("-"),
          notebook.path("project").asText(),
          state.path("expiresAt").asText("-"),
          state.path("reason").asText("-"));
    }
    table.print(session.terminal());
  }

  /** Prints one notebook. */
  public static void print(Session session, JsonNode notebook, List<JsonNode> events) {
    PrintStream out = session.terminal().out();
    String name = notebook.path("name").asText();
    JsonNode state = notebook.path("state");
    out.printf(
        "%s  %s of %s, project %s%n",
        name,
        notebook.path("ide").asText(),
        notebook.path("owner").asText("-"),
        notebook.path("project").asText());
    out.printf(
        "  %s since %s%s%n",
        state.path("status").asText(),
        state.path("since").asText(),
        state.path("reason").isTextual() ? " (" + state.path("reason").asText() + ")" : "");
    if (state.path("expiresAt").isTextual()) {
      out.printf("  stopped at %s unless it is used%n", state.path("expiresAt").asText());
    }
    if (state.path("exitCode").isInt()) {
      out.printf("  last exit code %d%n", state.path("exitCode").asInt());
    }
    state.path("lastLines").forEach(line -> out.println("    | " + line.asText()));
    switch (state.path("status").asText()) {
      case "RUNNING", "IDLE" -> out.printf("  Open it: orrery notebook open %s%n", name);
      case "STOPPED" -> out.printf("  Start it: orrery notebook start %s%n", name);
      case "FAILED", "UNREACHABLE" ->
          out.printf(
              "  Look at its log: orrery notebook logs %s --previous; start it anew: orrery"
                  + " notebook reset %s%n",
              name, name);
      default -> {}
    }
    if (!events.isEmpty()) {
      out.println();
      Table table = new Table(Column.text("AT"), Column.text("STATE"), Column.text("REASON"));
      events
          .subList(Math.max(0, events.size() - EVENTS), events.size())
          .forEach(event ->
              table.row(
                  event.path("at").asText(),
                  event.path("state").asText(),
                  event.path("reason").asText("-")));
      table.print(session.terminal());
    }
  }
}
