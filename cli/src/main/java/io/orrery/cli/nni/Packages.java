package io.orrery.cli.nni;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code nnictl package} of NNI 1, which {@code algo} took the place of. */
@Command(
    name = "package",
    description = "What `algo` is called in NNI 1.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class Packages {
  private final NniAlgorithms algorithms;
  private final Said said;

  Packages(NniAlgorithms algorithms, Said said) {
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
