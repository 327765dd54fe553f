package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Terminal;
import java.util.ArrayList;
import java.util.List;

/** Prints the GPUs of the servers as a table. */
final class GpuSheet {
  private GpuSheet() {}

  static void print(JsonNode gpus, Terminal terminal) {
    Table table =
        new Table(
            Column.text("MACHINE"),
            Column.number("GPU"),
            Column.text("MODEL"),
            Column.text("STATE"),
            Column.number("USE"),
            Column.text("NOT USED SINCE"),
            Column.text("HELD BY"));
    for (JsonNode gpu : gpus.path("items")) {
      table.row(
          gpu.path("machine").asText(),
          gpu.path("index").asText(),
          gpu.path("name").asText(),
          gpu.path("state").asText(),
          gpu.path("percent").isNull() ? "-" : gpu.path("percent").asText() + "%",
          gpu.path("since").isNull() ? "-" : gpu.path("since").asText(),
          holders(gpu));
    }
    table.print(terminal);
    for (JsonNode failure : gpus.path("failures")) {
      terminal
          .out()
          .println(failure.path("machine").asText() + ": " + failure.path("reason").asText());
    }
  }

  private static String holders(JsonNode gpu) {
    List<String> words = new ArrayList<>();
    for (JsonNode holder : gpu.path("holders")) {
      words.add(
          holder.path("kind").asText()
              + "/"
              + holder.path("name").asText()
              + (holder.path("user").isNull() ? "" : " of " + holder.path("user").asText()));
    }
    int others = gpu.path("others").asInt();
    if (others > 0) {
      words.add(others + " of other projects");
    }
    if (words.isEmpty() && gpu.path("state").asText().equals("idle")) {
      words.add("another program");
    }
    return words.isEmpty() ? "-" : String.join(", ", words);
  }
}
