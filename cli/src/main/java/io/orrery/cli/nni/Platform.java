package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code nnictl platform}. */
@Command(
    name = "platform",
    description = "Where trials run.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class Platform {
  private final Session session;
  private final Said said;

  Platform(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(
      name = "clean",
      description = "Remove what trials left on a platform: deleting an experiment does so.")
  int clean(
      @Option(
              names = {"--config", "-c"},
              required = true,
              paramLabel = "FILE",
              description = "The configuration of an experiment there.")
          String config) {
    ConfigFile.read(config, session.terminal()).root();
    said.info(
        "Nothing to clean: `nnictl experiment delete` removes what an experiment's trials left.");
    return 0;
  }
}
