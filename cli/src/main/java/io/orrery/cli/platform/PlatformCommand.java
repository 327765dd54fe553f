package io.orrery.cli.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code orrery platform}. */
@Command(
    name = "platform",
    description = "Where the server can run trials.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class PlatformCommand {
  private final Session session;

  public PlatformCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List the training services.")
  public int list() {
    List<JsonNode> platforms = session.api().list(Resource.of("platforms"), null);
    if (session.json()) {
      session.print(platforms);
      return 0;
    }
    Table table = new Table(Column.text("NAME"), Column.text("WHAT"));
    for (JsonNode platform : platforms) {
      table.row(Words.value(platform.path("name")), Words.shortened(platform.path("summary"), 100));
    }
    table.print(session.terminal().out());
    return 0;
  }
}
