package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orrery trial list}. */
@Command(name = "list", description = "List the trials of an experiment.")
final class ListTrials implements Callable<Integer> {
  private static final int PARAMETER_WIDTH = 60;

  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      description = "Its id or the beginning of it. Default: the only active one.")
  private @Nullable String experiment;

  @Option(
      names = "--experiment",
      paramLabel = "E",
      description = "The same as an option, as the other verbs take it.")
  private @Nullable String experimentOption;

  @Option(names = "--status", paramLabel = "S", description = "Only those in a status.")
  private @Nullable String status;

  @Option(
      names = "--sort",
      paramLabel = "KEY",
      description =
          "sequenceId, metric, startedAt, endedAt or duration; a minus in front reverses.")
  private @Nullable String sort;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: all.")
  private @Nullable Integer limit;

  ListTrials(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String id =
        ExperimentChoice.idOf(session.api(), experiment == null ? experimentOption : experiment);
    Resource resource =
        Resource.of("experiments", id, "trials").with("status", status).with("sort", sort);
    List<JsonNode> trials = session.api().list(resource, limit);
    if (session.json()) {
      session.print(trials);
      return 0;
    }
    Table table =
        new Table(
            Column.number("#"),
            Column.text("ID"),
            Column.text("STATUS"),
            Column.number("METRIC"),
            Column.number("DURATION"),
            Column.number("STARTED"),
            Column.text("PARAMETERS"));
    Instant now = session.terminal().clock().instant();
    for (JsonNode trial : trials) {
      table.row(
          Words.value(trial.path("sequenceId")),
          trial.path("id").asText(),
          trial.path("status").asText(),
          Words.value(trial.path("metric")),
          Words.between(trial.path("startedAt"), trial.path("endedAt"), now),
          Words.ago(trial.path("startedAt"), now),
          Words.shortened(trial.path("parameters"), PARAMETER_WIDTH));
    }
    table.print(session.terminal().out());
    return 0;
  }
}
