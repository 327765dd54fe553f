package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Implements {@code nnictl view ID}: ended experiments can be looked at without a process of their
 * own.
 */
@Command(name = "view", description = "Say where an experiment can be looked at.")
final class View implements Callable<Integer> {
  private final Session session;
  private final Said said;

  @Parameters(paramLabel = "ID", description = "The experiment's id or the beginning of it.")
  private String id = "";

  @Option(
      names = {"--port", "-p"},
      paramLabel = "P",
      description = "The server's port. Default: that of the server of this home.")
  private @Nullable Integer port;

  @Mixin private FormerDirectory former = new FormerDirectory();

  View(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Override
  public Integer call() {
    Api api = NniServer.at(session, port);
    String experiment = former.idOf(session, api, id);
    said.line("The experiment id is " + experiment);
    said.line("The Web UI urls are: " + WebUi.url(api) + "/#/experiments/" + experiment);
    return 0;
  }
}
