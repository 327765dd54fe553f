package io.orrery.cli.tuner;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code orrery tuner}. */
@Command(
    name = "tuner",
    description = "What the server can search with.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class TunerCommand {
  private final Session session;

  public TunerCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "list",
      description = "List the algorithms with the types of search-space entries that each accepts.")
  int list() {
    List<JsonNode> tuners = session.api().list(Resource.of("tuners"), null);
    if (session.json()) {
      session.print(tuners);
      return 0;
    }
    Table table =
        new Table(
            Column.text("NAME"), Column.text("KIND"), Column.text("ACCEPTS"), Column.text("WHAT"));
    for (JsonNode tuner : tuners) {
      table.row(
          tuner.path("name").asText(),
          Words.value(tuner.path("kind")),
          accepted(tuner.path("types")),
          Words.shortened(tuner.path("summary"), 80));
    }
    table.print(session.terminal().out());
    return 0;
  }

  private static String accepted(JsonNode types) {
    String names =
        types.properties().stream()
            .filter(type -> type.getValue().booleanValue())
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    boolean all = types.properties().stream().allMatch(type -> type.getValue().booleanValue());
    return all ? "every type" : names;
  }
}
