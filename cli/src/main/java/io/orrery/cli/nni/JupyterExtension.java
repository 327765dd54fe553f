package io.orrery.cli.nni;

import io.orrery.cli.client.Session;
import picocli.CommandLine.Command;

/** Implements {@code nnictl jupyter-extension}. */
@Command(
    name = "jupyter-extension",
    description = "Not available: the page is in the browser.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class JupyterExtension {
  private final Session session;
  private final Said said;

  JupyterExtension(Session session, Said said) {
    this.session = session;
    this.said = said;
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
    return said.absent(
        "there is no extension of Jupyter: the page is at " + WebUi.url(session.api()));
  }
}
