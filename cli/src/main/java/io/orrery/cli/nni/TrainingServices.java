package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import io.orrery.cli.platform.PlatformCommand;
import picocli.CommandLine.Command;

/** {@code nnictl trainingservice}. */
@Command(
    name = "trainingservice",
    description = "Where trials can run.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class TrainingServices {
  private final Session session;

  TrainingServices(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "The training services of this server.")
  int list() {
    return new PlatformCommand(session).list();
  }
}
