package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Progress;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code orrery experiment list}. */
@Command(name = "list", description = "List the experiments, newest first.")
final class ListExperiments implements Callable<Integer> {
  private final Session session;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: all.")
  private @Nullable Integer limit;

  ListExperiments(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<JsonNode> experiments = session.api().list(Resource.of("experiments"), limit);
    if (session.json()) {
      session.print(experiments);
      return 0;
    }
    Table table =
        new Table(
            Column.text("ID"),
            Column.text("NAME"),
            Column.text("STATUS"),
            Column.number("TRIALS"),
            Column.number("BEST"),
            Column.number("CREATED"));
    Instant now = session.terminal().clock().instant();
    for (JsonNode experiment : experiments) {
      table.row(
          experiment.path("id").asText(),
          Words.shortened(experiment.path("name"), 40),
          experiment.path("status").asText(),
          Progress.of(experiment, Duration.ZERO).count(),
          Words.value(experiment.path("best").path("metric")),
          Words.ago(experiment.path("createdAt"), now));
    }
    table.print(session.terminal().out());
    return 0;
  }
}
