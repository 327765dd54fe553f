package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.experiment.ExperimentPatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl update}. */
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
      @Mixin NniChoice chosen,
      @Option(
              names = {"--filename", "-f"},
              required = true,
              paramLabel = "FILE",
              description = "The search space, JSON or YAML.")
          String file) {
    return change(
        chosen,
        "searchSpace",
        new ExperimentPatch().searchSpace(ConfigFile.read(file, session.terminal()).root()));
  }

  @Command(name = "concurrency", description = "Trials at the same time.")
  int concurrency(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "N",
              description = "1 or more.")
          int value) {
    return change(chosen, "trialConcurrency", new ExperimentPatch().trialConcurrency(value));
  }

  @Command(name = "duration", description = "How long the experiment may run.")
  int duration(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "T",
              description = "Seconds, or with a unit as in 90m, 2h, 1d.")
          String value) {
    return change(
        chosen, "maxExperimentDuration", new ExperimentPatch().maxExperimentDuration(value));
  }

  @Command(name = "trialnum", description = "Trials in all.")
  int trialNumber(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--value", "-v"},
              required = true,
              paramLabel = "N",
              description = "1 or more.")
          int value) {
    return change(chosen, "maxTrialNumber", new ExperimentPatch().maxTrialNumber(value));
  }

  private int change(NniChoice chosen, String key, ExperimentPatch patch) {
    patch.apply(session.api(), chosen.id(session.api()));
    said.info("Update " + key + " success!");
    return 0;
  }
}
