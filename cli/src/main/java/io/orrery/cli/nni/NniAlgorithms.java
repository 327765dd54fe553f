package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.core.json.Json;
import io.orrery.core.text.Nearest;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Implements {@code nnictl algo}, and {@code nnictl package} of NNI 1: what there is to search and
 * to stop with.
 */
@Command(
    name = "algo",
    description = "Algorithms that search and that stop trials early.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class NniAlgorithms {
  private static final Resource TUNERS = Resource.of("tuners");

  private final Session session;
  private final Said said;

  NniAlgorithms(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "list", description = "All of them.")
  int list() {
    Table table = new Table(Column.text("Name"), Column.text("Type"), Column.text("Source"));
    for (JsonNode algorithm : all()) {
      table.row(
          algorithm.path("name").asText(),
          algorithm.path("kind").asText() + "s",
          algorithm.path("className").asText("built-in"));
    }
    table.print(session.terminal());
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

  @Command(name = "register", aliases = "reg", description = "Give a class of one's own a name.")
  int register(
      @Option(
              names = {"--meta_path", "-m"},
              required = true,
              paramLabel = "FILE",
              description = "Its description: algoType, builtinName, className.")
          String meta) {
    ConfigFile file = ConfigFile.read(meta, session.terminal());
    JsonNode description = file.root();
    ObjectNode registration = Json.MAPPER.createObjectNode();
    registration.set("name", needed(meta, description, "builtinName"));
    registration.set("kind", needed(meta, description, "algoType"));
    registration.set("className", needed(meta, description, "className"));
    if (description.path("isAdvisor").asBoolean()) {
      registration.put("kind", "advisor");
    }
    String directory = description.path("codeDirectory").textValue();
    if (directory != null) {
      registration.put("codeDirectory", file.folder().resolve(directory).normalize().toString());
    }
    if (description.path("classArgs").isObject()) {
      registration.set("classArgs", description.get("classArgs"));
    }
    session.api().post(TUNERS, registration.toString(), "application/json");
    said.info(registration.path("name").asText() + " registered successfully!");
    return 0;
  }

  private static JsonNode needed(String file, JsonNode description, String key) {
    JsonNode value = description.path(key);
    if (!value.isTextual()) {
      throw CommandFailure.refused(file + ": " + key + " is missing, which is a text");
    }
    return value;
  }

  @Command(name = "unregister", aliases = "unreg", description = "Take such a name away.")
  int unregister(@Parameters(paramLabel = "NAME", description = "The name.") String name) {
    session.api().delete(TUNERS.below(name));
    said.info(name + " unregistered successfully!");
    return 0;
  }

  private List<JsonNode> all() {
    return session.api().list(TUNERS, null);
  }
}
