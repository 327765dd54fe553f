package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import io.orrery.cli.platform.PlatformCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code nnictl trainingservice}. */
@Command(
    name = "trainingservice",
    description = "Where trials can run.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class TrainingServices {
  private final Session session;
  private final Said said;

  TrainingServices(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "list", description = "The training services of this server.")
  int list() {
    return new PlatformCommand(session).list();
  }

  @Command(name = "register", description = "Not available: they are part of the server.")
  int register(
      @Option(names = "--package", required = true, paramLabel = "P", description = "Its package.")
          String name) {
    return absent(name);
  }

  @Command(name = "unregister", description = "Not available: they are part of the server.")
  int unregister(
      @Option(names = "--package", required = true, paramLabel = "P", description = "Its package.")
          String name) {
    return absent(name);
  }

  private int absent(String name) {
    return said.absent(
        "a training service of one's own, such as '"
            + name
            + "', runs in NNI's manager and cannot run here: `nnictl trainingservice list` shows those that there are");
  }
}
