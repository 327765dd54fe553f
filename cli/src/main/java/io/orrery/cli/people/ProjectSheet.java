package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;

/** Prints projects as a table. */
public final class ProjectSheet {
  private ProjectSheet() {}

  /** Prints a line for each project. */
  public static void table(Session session, List<JsonNode> projects) {
    Table table =
        new Table(
            Column.text("NAME"), Column.text("ROLE"), Column.text("OWNER"), Column.text("TITLE"));
    for (JsonNode project : projects) {
      table.row(
          project.path("name").asText(),
          project.path("role").asText("-"),
          project.path("owner").asText("-"),
          project.path("title").asText());
    }
    table.print(session.terminal());
  }
}
