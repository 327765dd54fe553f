package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment front}. */
@Command(
    name = "front",
    description = {
      "List the trials that no other one dominates: none is better in one objective and worse in"
          + " none."
    })
final class ShowFront implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(
      names = "--limit",
      converter = Count.class,
      paramLabel = "N",
      description = "At most so many, spread over the front. Default: 100.")
  private int limit = 100;

  ShowFront(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String experiment = choice.shown(session).path("id").asText();
    JsonNode front =
        session.api().get(Resource.of("experiments", experiment, "front").with("limit", limit));
    if (session.json()) {
      session.print(front);
    } else {
      print(front);
    }
    return 0;
  }

  private void print(JsonNode front) {
    List<Column> columns = new ArrayList<>(List.of(Column.text("TRIAL")));
    List<String> metrics = new ArrayList<>();
    for (JsonNode objective : front.path("objectives")) {
      String metric = objective.path("metric").asText();
      metrics.add(metric);
      columns.add(Column.number(metric + " (" + objective.path("goal").asText() + ")"));
    }
    columns.add(Column.text("PARAMETERS"));
    Table table = new Table(columns.toArray(Column[]::new));
    for (JsonNode item : front.path("items")) {
      List<String> cells = new ArrayList<>(List.of(item.path("trial").asText()));
      metrics.forEach(metric -> cells.add(Words.value(item.path("values").path(metric))));
      cells.add(Words.value(item.path("parameters")));
      table.row(cells.toArray(String[]::new));
    }
    table.print(session.terminal());
    session
        .terminal()
        .err()
        .println(
            "%s of %s compared trials"
                .formatted(Words.value(front.path("total")), Words.value(front.path("trials"))));
  }
}
