package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.print.Progress;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Experiments as rows. */
public final class ExperimentListing {
  private ExperimentListing() {}

  /**
   * Prints them to stdout.
   *
   * @param experiments as the API has them
   */
  public static void print(List<JsonNode> experiments, Terminal terminal) {
    Table table =
        new Table(
            Column.text("ID"),
            Column.text("NAME"),
            Column.text("STATUS"),
            Column.number("TRIALS"),
            Column.number("BEST"),
            Column.number("CREATED"));
    Instant now = terminal.clock().instant();
    for (JsonNode experiment : experiments) {
      table.row(
          experiment.path("id").asText(),
          Words.shortened(experiment.path("name"), 40),
          experiment.path("status").asText(),
          Progress.of(experiment, Duration.ZERO).count(),
          Words.value(experiment.path("best").path("metric")),
          Words.ago(experiment.path("createdAt"), now));
    }
    table.print(terminal);
  }
}
