package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import io.orrery.cli.platform.PlatformCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code nnictl trainingservice}. */
@Command(
    name = "trainingservice",
    description = "Where trials can run.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class NniTrainingServices {
  private final Session session;
  private final Said said;

  NniTrainingServices(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "list", description = "The training services of this server.")
  int list() {
    return new PlatformCommand(session).list();
  }

  @Command(name = "register", description = "Not available: one of your own is a jar in the home.")
  int register(
      @Option(names = "--package", required = true, paramLabel = "P", description = "Its package.")
          String name) {
    return absent(name);
  }

  @Command(
      name = "unregister",
      description = "Not available: one of your own is a jar in the home.")
  int unregister(
      @Option(names = "--package", required = true, paramLabel = "P", description = "Its package.")
          String name) {
    return absent(name);
  }

  private int absent(String name) {
    return said.absent(
        "'"
            + name
            + "' is a training service of NNI's manager and cannot run here; one of your own is a jar"
            + " in the folder platforms of the server's home, and `nnictl trainingservice list`"
            + " shows those that there are");
  }
}
