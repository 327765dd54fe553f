package io.orrery.cli.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The machines of an experiment, one a row. */
final class MachineTable {
  private MachineTable() {}

  /**
   * Prints them.
   *
   * @param machines as the API has them
   */
  static void print(JsonNode machines, Terminal terminal) {
    Instant now = terminal.clock().instant();
    Table table =
        new Table(
            Column.text("MACHINE"),
            Column.text("PLATFORM"),
            Column.text("TAKES TRIALS"),
            Column.number("FOR"),
            Column.number("HEARD"),
            Column.number("TRIALS"),
            Column.number("OTHERS"),
            Column.number("ROOM FOR"),
            Column.number("GPUS FREE"),
            Column.text("WHY NOT"));
    for (JsonNode machine : machines) {
      table.row(
          Words.value(machine.path("name")),
          Words.value(machine.path("service")),
          machine.path("absence").isNull() ? "yes" : "no",
          Words.between(machine.path("since"), machine.path("none"), now),
          Words.ago(machine.path("heardAt"), now),
          Integer.toString(machine.path("trials").size()),
          Words.value(machine.path("others")),
          Words.value(machine.path("free")),
          gpus(machine.path("gpus").path("devices")),
          why(machine));
    }
    table.print(terminal);
  }

  private static String gpus(JsonNode devices) {
    long free =
        StreamSupport.stream(devices.spliterator(), false)
            .filter(gpu -> gpu.path("trials").asInt() == 0 && gpu.path("trouble").isNull())
            .count();
    return devices.isEmpty() ? "-" : free + " of " + devices.size();
  }

  /** What keeps trials from it, and what keeps them from its GPUs. */
  private static String why(JsonNode machine) {
    List<String> reasons = new ArrayList<>();
    if (machine.path("absence").isTextual()) {
      reasons.add("it " + machine.path("absence").asText());
    }
    if (machine.path("gpus").path("failure").isTextual()) {
      reasons.add("GPUs: " + machine.path("gpus").path("failure").asText());
    }
    return String.join("; ", reasons);
  }
}
