package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import java.time.Instant;
import java.util.List;

/** Trials as rows. */
public final class TrialListing {
  private static final int PARAMETER_WIDTH = 60;
  private static final int REASON_WIDTH = 100;

  private TrialListing() {}

  /**
   * Prints them to stdout; why they failed or wait has a column when one of them says so.
   *
   * @param trials as the API has them
   */
  public static void print(List<JsonNode> trials, Terminal terminal) {
    boolean reasons = trials.stream().anyMatch(trial -> trial.path("reason").isTextual());
    Table table =
        new Table(
            Column.number("#"),
            Column.text("ID"),
            Column.text("STATUS"),
            Column.number("METRIC"),
            Column.number("DURATION"),
            Column.number("STARTED"),
            Column.text("PARAMETERS"),
            Column.text(reasons ? "WHY" : ""));
    Instant now = terminal.clock().instant();
    for (JsonNode trial : trials) {
      table.row(
          Words.value(trial.path("sequenceId")),
          trial.path("id").asText(),
          trial.path("status").asText(),
          Words.value(trial.path("metric")),
          Words.between(trial.path("startedAt"), trial.path("endedAt"), now),
          Words.ago(trial.path("startedAt"), now),
          Words.shortened(trial.path("parameters"), PARAMETER_WIDTH),
          Words.cut(Words.cause(trial.path("reason")), REASON_WIDTH));
    }
    table.print(terminal);
  }
}
