package io.orrery.cli.tuner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery tuner}. */
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
            Column.text("NAME"),
            Column.text("KIND"),
            Column.text("ACCEPTS"),
            Column.text("OBJECTIVES"),
            Column.text("WHAT"));
    for (JsonNode tuner : tuners) {
      table.row(
          tuner.path("name").asText(),
          Words.value(tuner.path("kind")),
          accepted(tuner.path("types")),
          objectives(tuner),
          Words.sentence(tuner.path("summary")));
    }
    table.print(session.terminal());
    return 0;
  }

  @Command(
      name = "check",
      description = {
        "Say whether an algorithm takes a search space, and what is wrong with it otherwise.",
        "Nothing is created. Exit code 0: it does. 2: it does not."
      })
  int check(
      @Parameters(paramLabel = "TUNER", description = "Its name, as `tuner list` has it.")
          String tuner,
      @Parameters(paramLabel = "FILE", description = "The search space, JSON or YAML.")
          String file) {
    ObjectNode experiment = JsonNodeFactory.instance.objectNode();
    experiment.put("trialCommand", "true").put("trialCodeDirectory", "/");
    experiment
        .put("trialConcurrency", 1)
        .set("searchSpace", ConfigFile.read(file, session.terminal()).root());
    experiment.putObject("tuner").put("name", tuner);
    experiment.putObject("trainingService").put("platform", "local");
    Resource dryRun = Resource.of("experiments").with("dryRun", true);
    try {
      JsonNode checked = session.api().post(dryRun, experiment.toString(), "application/json");
      if (session.json()) {
        session.print(checked);
      } else {
        session.terminal().out().println(tuner + " takes the search space of " + file);
      }
      return 0;
    } catch (ProblemResponse refused) {
      if (refused.findings().isEmpty()) {
        throw refused;
      }
      throw CommandFailure.refused(
          refused.findings().stream()
              .map(finding -> file + ": " + placed(finding))
              .collect(Collectors.joining("\n")),
          refused);
    }
  }

  /** To its author the space is the whole document. */
  private static String placed(Finding finding) {
    String pointer = finding.pointer().replaceFirst("^/searchSpace", "");
    return (pointer.isEmpty() ? "" : pointer + ": ") + finding.message();
  }

  private static String objectives(JsonNode tuner) {
    if (!tuner.path("kind").asText().equals("tuner")) {
      return "-";
    }
    return tuner.path("severalObjectives").asBoolean() ? "several" : "one";
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
