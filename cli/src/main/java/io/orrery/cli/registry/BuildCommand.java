package io.orrery.cli.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about builds of images: {@code orrery build}. */
@Command(
    name = "build",
    description = "Start builds of images again, follow their logs, cancel them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class BuildCommand {
  private static final String ALL = "builds";

  private final Session session;

  public BuildCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "start",
      description =
          "Start a build again; orrery apply starts it when its document is new or changed.")
  int start(
      @Parameters(paramLabel = "NAME", description = "The build.") String name,
      @Option(names = "--follow", description = "Print its log until its end.") boolean follow) {
    JsonNode build = session.api().post(Resource.of(ALL, name, "start"));
    if (!follow) {
      table(session, List.of(build));
      return 0;
    }
    session.copy(Resource.of(ALL, name, "logs").with("follow", true), "the log");
    JsonNode state = session.api().get(Resource.of(ALL, name)).path("state");
    boolean good = state.path("status").asText().equals("SUCCEEDED");
    session
        .terminal()
        .out()
        .printf(
            "%s %s %s%n",
            name,
            state.path("status").asText(),
            good ? state.path("digest").asText() : state.path("reason").asText(""));
    return good ? 0 : 1;
  }

  @Command(name = "logs", description = "Print what the last start of a build has written.")
  int logs(
      @Parameters(paramLabel = "NAME", description = "The build.") String name,
      @Option(names = "--follow", description = "Go on printing.") boolean follow) {
    session.copy(
        Resource.of(ALL, name, "logs").with("follow", follow ? Boolean.TRUE : null), "the log");
    return 0;
  }

  @Command(name = "cancel", description = "End a build that waits or runs.")
  int cancel(@Parameters(paramLabel = "NAME", description = "The build.") String name) {
    table(session, List.of(session.api().post(Resource.of(ALL, name, "cancel"))));
    return 0;
  }

  @Command(name = "list", description = "List builds with the states of their last starts.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only those of a project.")
          @Nullable String project) {
    table(session, session.api().list(Resource.of(ALL).with("project", project), null));
    return 0;
  }

  /** Prints builds. */
  public static void table(Session session, List<JsonNode> all) {
    if (session.json()) {
      session.print(all);
      return;
    }
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("PROJECT"),
            Column.text("STATUS"),
            Column.text("TARGET"),
            Column.text("DIGEST"),
            Column.text("REASON"));
    all.forEach(build ->
        table.row(
            build.path("name").asText(),
            build.path("project").asText(),
            build.at("/state/status").asText(),
            build.path("target").asText(),
            build.at("/state/digest").asText("-"),
            build.at("/state/reason").asText("-")));
    table.print(session.terminal());
  }
}
