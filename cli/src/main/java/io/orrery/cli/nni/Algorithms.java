package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.core.text.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nnictl algo}: what there is to search and to stop with. */
@Command(
    name = "algo",
    description = "Algorithms that search and that stop trials early.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class Algorithms {
  private final Session session;
  private final Said said;

  Algorithms(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "list", description = "All of them.")
  int list() {
    Table table = new Table(Column.text("Name"), Column.text("Type"), Column.text("Source"));
    for (JsonNode algorithm : all()) {
      table.row(algorithm.path("name").asText(), algorithm.path("kind").asText() + "s", "built-in");
    }
    table.print(session.terminal().out());
    return 0;
  }

  @Command(name = "show", description = "One of them as JSON.")
  int show(
      @Parameters(paramLabel = "NAME", description = "Its name, case not counting.") String name) {
    List<JsonNode> all = all();
    said.json(
        all.stream()
            .filter(algorithm -> algorithm.path("name").asText().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(() -> {
              List<String> names = all.stream().map(a -> a.path("name").asText()).toList();
              return CommandFailure.failed(
                  "there is no algorithm '" + name + "'" + Nearest.hint(name, names));
            }));
    return 0;
  }

  @Command(name = "register", description = "Not needed: a configuration names a class itself.")
  int register(
      @Option(
              names = {"--meta_path", "-m"},
              paramLabel = "FILE",
              description = "The algorithm's description.")
          @Nullable String meta) {
    return Elsewhere.unregistered(session, "register");
  }

  @Command(name = "unregister", description = "Not needed: nothing is registered.")
  int unregister(@Parameters(paramLabel = "NAME", description = "Its name.") String name) {
    return Elsewhere.unregistered(session, "unregister");
  }

  private List<JsonNode> all() {
    return session.api().list(Resource.of("tuners"), null);
  }
}
