package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery trial metrics}. */
@Command(name = "metrics", description = "Print the values that a trial has reported.")
final class TrialMetrics implements Callable<Integer> {
  private final Session session;

  @Mixin private TrialChoice choice = new TrialChoice();

  @Option(
      names = "--key",
      paramLabel = "K",
      description = "Which number, where a trial reports several. Default: default.")
  private @Nullable String key;

  @Option(
      names = "--max-points",
      converter = Count.class,
      paramLabel = "N",
      description = "Thin the series out to so many; the extremes stay.")
  private @Nullable Integer maxPoints;

  TrialMetrics(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Resource metrics =
        choice.shown(session, "metrics").with("key", key).with("maxPoints", maxPoints);
    JsonNode answer = session.api().get(metrics);
    if (session.json()) {
      session.print(answer);
      return 0;
    }
    Table table = new Table(Column.text("KIND"), Column.number("SEQUENCE"), Column.number("VALUE"));
    JsonNode points = answer.has("items") ? answer.path("items") : answer.path("points");
    points.forEach(point -> row(table, point, "intermediate"));
    JsonNode result = answer.has("final") ? answer.path("final") : answer.path("result");
    if (result.isObject()) {
      row(table, result, "final");
    }
    table.print(session.terminal());
    return 0;
  }

  private static void row(Table table, JsonNode point, String kind) {
    table.row(
        point.path("kind").asText(kind),
        Words.value(point.path("sequence")),
        Words.value(point.path("value")));
  }
}
