package io.orrery.cli.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.people.PasswordPrompt;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about accounts of registries: {@code orrery registry}. */
@Command(
    name = "registry",
    description = "Keep accounts of image registries in projects, and try them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class RegistryCommand {
  private static final String ALL = "registries";

  private final Session session;

  public RegistryCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "add",
      aliases = "create",
      description = "Add an account of a registry, or change one. The password is asked for.")
  int add(
      @Parameters(index = "0", paramLabel = "NAME", description = "What to call it.") String name,
      @Parameters(
              index = "1",
              paramLabel = "SERVER",
              description = "Host, or host and path: hub.example.com/vision.")
          String server,
      @Option(names = "--user", required = true, paramLabel = "U", description = "The user there.")
          String user,
      @Option(
              names = "--password-from",
              paramLabel = "SECRET",
              description = "A secret of the project that is the password.")
          @Nullable String secret,
      @Option(names = "--password-stdin", description = "Read the password from stdin.")
          boolean fromStdin,
      @Option(
              names = "--project",
              paramLabel = "P",
              description = "The project of a new one. Default: public.")
          @Nullable String project) {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("server", server)
            .put("user", user)
            .put(
                "password",
                secret == null
                    ? PasswordPrompt.ask(session, fromStdin, "Password of " + user + ": ")
                    : "secret:" + secret);
    JsonNode account = session.api().put(Resource.of(ALL, name).with("project", project), body);
    if (session.json()) {
      session.print(account);
    } else {
      session.terminal().out().printf("%s %s%n", account.path("outcome").asText(), name);
    }
    return 0;
  }

  @Command(name = "list", description = "List accounts of registries.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only those of a project.")
          @Nullable String project) {
    List<JsonNode> all = session.api().list(Resource.of(ALL).with("project", project), null);
    if (session.json()) {
      session.print(all);
      return 0;
    }
    table(session, all);
    return 0;
  }

  /** Prints accounts. */
  public static void table(Session session, List<JsonNode> all) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("PROJECT"),
            Column.text("OWNER"),
            Column.text("SERVER"),
            Column.text("USER"),
            Column.text("PASSWORD"));
    all.forEach(each ->
        table.row(
            each.path("name").asText(),
            each.path("project").asText(),
            each.path("owner").asText(),
            each.path("server").asText(),
            each.path("user").asText(),
            each.path("passwordFrom").isTextual()
                ? "secret:" + each.path("passwordFrom").asText()
                : "sealed"));
    table.print(session.terminal());
  }

  @Command(name = "check", description = "Log in to a registry; the exit code is 1 when it fails.")
  int check(@Parameters(paramLabel = "NAME", description = "The account.") String name) {
    JsonNode checked =
        session.api().post(Resource.of(ALL, name, "check"), "{}", "application/json");
    if (session.json()) {
      session.print(checked);
    } else {
      session.terminal().out().println(checked.path("reason").asText());
    }
    return checked.path("ok").asBoolean() ? 0 : 1;
  }

  @Command(name = "delete", description = "Delete an account; the registry keeps its images.")
  int delete(@Parameters(paramLabel = "NAME", description = "The account.") String name) {
    session.api().delete(Resource.of(ALL, name));
    return 0;
  }
}
