package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verbs of NNI for what is done in another way here; each says in which. */
final class Elsewhere {
  private Elsewhere() {}

  /** Says why a verb of NNI does nothing here; the exit code of a failure. */
  static int absent(Session session, String why) {
    session.terminal().say(why);
    return CommandFailure.FAILED;
  }

  /** {@code nnictl jupyter-extension}. */
  @Command(
      name = "jupyter-extension",
      description = "Not available: the page is in the browser.",
      synopsisSubcommandLabel = "VERB",
      commandListHeading = "Verbs:%n")
  static final class JupyterExtension {
    private final Session session;

    JupyterExtension(Session session) {
      this.session = session;
    }

    @Command(name = "install", description = "Not available.")
    int install() {
      return absent();
    }

    @Command(name = "uninstall", description = "Not available.")
    int uninstall() {
      return absent();
    }

    private int absent() {
      return Elsewhere.absent(
          session, "there is no extension of Jupyter: the page is at " + WebUi.url(session.api()));
    }
  }

  /** {@code nnictl package} of NNI 1, which {@code algo} took the place of. */
  @Command(
      name = "package",
      description = "What `algo` is called in NNI 1.",
      synopsisSubcommandLabel = "VERB",
      commandListHeading = "Verbs:%n")
  static final class Packages {
    private final Algorithms algorithms;
    private final Said said;

    Packages(Algorithms algorithms, Said said) {
      this.algorithms = algorithms;
      this.said = said;
    }

    @Command(name = "list", description = "All of them.")
    int list() {
      return algorithms.list();
    }

    @Command(name = "show", description = "One of them as JSON.")
    int show(@Parameters(paramLabel = "NAME", description = "Its name.") String name) {
      return algorithms.show(name);
    }

    @Command(name = "install", description = "Nothing to do for what is built in.")
    int install(
        @Option(names = "--name", required = true, paramLabel = "NAME", description = "Its name.")
            String name) {
      int known = algorithms.show(name);
      said.info(name + " needs nothing installed.");
      return known;
    }

    @Command(name = "uninstall", description = "Take the name of a registered class away.")
    int uninstall(@Parameters(paramLabel = "NAME", description = "Its name.") String name) {
      return algorithms.unregister(name);
    }
  }

  /** {@code nnictl platform}. */
  @Command(
      name = "platform",
      description = "Where trials run.",
      synopsisSubcommandLabel = "VERB",
      commandListHeading = "Verbs:%n")
  static final class Platform {
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
}
