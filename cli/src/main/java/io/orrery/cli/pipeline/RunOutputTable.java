package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outputs that the steps of a run have handed in, each with its step and name. */
record RunOutputTable(List<JsonNode> items) {
  /**
   * @param step null for all
   * @throws CommandFailure failed, when the run has no such step
   */
  static RunOutputTable of(JsonNode run, @Nullable String step) {
    List<JsonNode> items = new ArrayList<>();
    boolean found = step == null;
    for (JsonNode one : run.path("steps")) {
      if (step != null && !one.path("name").asText().equals(step)) {
        continue;
      }
      found = true;
      one.path("outputs")
          .properties()
          .forEach(output -> {
            ObjectNode item =
                JsonNodeFactory.instance
                    .objectNode()
                    .put("step", one.path("name").asText())
                    .put("name", output.getKey());
            output.getValue().properties().forEach(f -> item.set(f.getKey(), f.getValue()));
            items.add(item);
          });
    }
    if (!found) {
      throw CommandFailure.failed(
          "run %s has no step '%s'".formatted(run.path("id").asText(), step));
    }
    return new RunOutputTable(items);
  }

  void print(Session session) {
    if (session.json()) {
      session.print(items);
      return;
    }
    Table table =
        new Table(
            Column.text("STEP"),
            Column.text("NAME"),
            Column.text("KIND"),
            Column.number("BYTES"),
            Column.text("VALUE"));
    for (JsonNode item : items) {
      table.row(
          item.path("step").asText(),
          item.path("name").asText(),
          item.path("kind").asText(),
          item.path("bytes").asText(),
          item.path("value").isNull() ? item.path("digest").asText() : item.path("value").asText());
    }
    table.print(session.terminal());
  }
}
