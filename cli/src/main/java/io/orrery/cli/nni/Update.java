package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.core.json.Yaml;
import io.orrery.core.problem.ProblemException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nnictl update}. */
@Command(
    name = "update",
    description = "Change an experiment while it runs.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "What:%n")
final class Update {
  private final Session session;
  private final Said said;

  Update(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "searchspace", description = "A new search space.")
  int searchSpace(
      @Mixin Chosen chosen,
      @Option(
              names = {"--filename", "-f"},
              required = true,
              paramLabel = "FILE",
              description = "The search space, JSON or YAML.")
          String file) {
    try {
      return change(
          chosen,
          "searchSpace",
          Yaml.read(ConfigFile.read(file, session.terminal()).text()).root());
    } catch (ProblemException e) {
      throw CommandFailure.refused(file + ": " + e.problem().detail());
    }
  }

  @Command(name = "concurrency", description = "Trials at the same time.")
  int concurrency(
      @Mixin Chosen chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "N",
              description = "1 or more.")
          int value) {
    return change(chosen, "trialConcurrency", JsonNodeFactory.instance.numberNode(value));
  }

  @Command(name = "duration", description = "How long the experiment may run.")
  int duration(
      @Mixin Chosen chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "T",
              description = "Seconds, or with a unit as in 90m, 2h, 1d.")
          String value) {
    return change(
        chosen,
        "maxExperimentDuration",
        value.matches("[0-9]{1,9}")
            ? JsonNodeFactory.instance.numberNode(Long.parseLong(value))
            : JsonNodeFactory.instance.textNode(value));
  }

  @Command(name = "trialnum", description = "Trials in all.")
  int trialNumber(
      @Mixin Chosen chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "N",
              description = "1 or more.")
          int value) {
    return change(chosen, "maxTrialNumber", JsonNodeFactory.instance.numberNode(value));
  }

  private int change(Chosen chosen, String key, JsonNode value) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.set(key, value);
    session.api().patch(Resource.of("experiments", chosen.id(session.api())), patch);
    said.info("Update " + key + " success!");
    return 0;
  }
}
