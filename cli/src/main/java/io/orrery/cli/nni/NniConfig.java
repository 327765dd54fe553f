package io.orrery.cli.nni;

import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Implements {@code nnictl config}. */
@Command(
    name = "config",
    description = "The experiment's configuration.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class NniConfig {
  private final Session session;
  private final Said said;

  NniConfig(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "show", description = "As JSON, in NNI's v3 form.")
  int show(@Mixin NniChoice chosen) {
    String id = chosen.id(session.api());
    said.json(session.api().get(Resource.nni(id, "experiment")).path("params"));
    return 0;
  }
}
