package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.notebook.NotebookSheet;
import io.orrery.cli.people.ProjectSheet;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.registry.BuildCommand;
import io.orrery.cli.registry.RegistryCommand;
import io.orrery.cli.service.ServiceSheet;
import io.orrery.cli.token.TokenTable;
import java.util.List;
import java.util.stream.Stream;

/** A table of objects of any kind by the keys that all of them have. */
final class ObjectTable {
  private ObjectTable() {}

  /**
   * Prints objects of a kind.
   *
   * @param wide whether by the keys of every kind
   */
  static void of(ObjectKind kind, boolean wide, Session session, List<JsonNode> items) {
    if (wide) {
      print(session, items);
      return;
    }
    switch (kind) {
      case PROJECT -> ProjectSheet.table(session, items);
      case TEMPLATE -> PipelineSheet.templates(session, items);
      case PIPELINE -> PipelineSheet.pipelines(session, items);
      case SERVICE -> ServiceSheet.table(session, items);
      case NOTEBOOK -> NotebookSheet.table(session, items);
      case REGISTRY -> RegistryCommand.table(session, items);
      case BUILD -> BuildCommand.table(session, items);
      case TOKEN -> TokenTable.print(session, items);
      case DOMAIN, MODEL, EXPERIMENT -> print(session, items);
    }
  }

  /** The state of an object in a word; - where it has none. */
  static String status(JsonNode item) {
    return first(item, "/state/status", "/rollout/state", "/status", "/latest");
  }

  /** The name of an object. */
  static String name(JsonNode item) {
    return first(item, "/host", "/id", "/name");
  }

  private static void print(Session session, List<JsonNode> items) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("STATUS"),
            Column.text("PROJECT"),
            Column.text("OWNER"),
            Column.text("REVISION"),
            Column.text("CHANGED"));
    items.forEach(item ->
        table.row(
            name(item),
            first(item, "/state/status", "/rollout/state", "/status", "/latest"),
            first(item, "/project"),
            first(item, "/owner"),
            first(item, "/revision"),
            first(item, "/changedAt", "/createdAt")));
    table.print(session.terminal());
  }

  /** The text at the first pointer that leads to one; - where none does. */
  private static String first(JsonNode item, String... pointers) {
    return Stream.of(pointers)
        .map(pointer -> item.at(pointer))
        .filter(JsonNode::isValueNode)
        .filter(value -> !value.isNull() && !value.asText().isEmpty())
        .map(JsonNode::asText)
        .findFirst()
        .orElse("-");
  }
}
