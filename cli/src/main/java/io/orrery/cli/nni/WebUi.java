package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.Session;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Implements {@code nnictl webui}. */
@Command(
    name = "webui",
    description = "The pages.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class WebUi {
  private final Session session;
  private final Said said;

  WebUi(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  /** Where the pages of a server are. */
  static String url(Api api) {
    return api.address().url().toString();
  }

  /** The same at a port that was opened for an experiment; null for the server's own. */
  static String url(Api api, @Nullable Integer port) {
    URI own = api.address().url();
    return port == null || port == own.getPort()
        ? url(api)
        : own.getScheme() + "://" + own.getHost() + ":" + port;
  }

  @Command(name = "url", description = "Where they are.")
  int url(@Mixin NniChoice chosen) {
    said.line("Web UI url: " + url(session.api()) + "/#/experiments/" + chosen.id(session.api()));
    return 0;
  }
}
