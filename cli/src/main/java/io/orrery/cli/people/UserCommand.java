package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about accounts: {@code orrery user}. */
@Command(
    name = "user",
    description = "See and change the accounts of a server's users.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class UserCommand {
  private static final String ROLES = "admin, user or viewer.";

  private final Session session;

  public UserCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List the accounts, by name.")
  int list(
      @Option(
              names = "--search",
              paramLabel = "TEXT",
              description = "Part of the name, for administrators also of the mail.")
          @Nullable String text,
      @Option(names = "--role", paramLabel = "R", description = "Only those that are " + ROLES)
          @Nullable String role,
      @Option(
              names = "--active",
              arity = "0..1",
              fallbackValue = "true",
              paramLabel = "B",
              description = "Only those that are enabled; with false, disabled.")
          @Nullable Boolean active) {
    Resource wanted =
        Resource.of("users").with("q", text).with("role", role).with("active", active);
    List<JsonNode> users = session.api().list(wanted, null);
    if (session.json()) {
      session.print(users);
      return 0;
    }
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("DISPLAY NAME"),
            Column.text("ROLE"),
            Column.text("STATE"));
    for (JsonNode user : users) {
      String state =
          !user.path("active").asBoolean(true)
              ? "disabled"
              : user.path("passwordSet").asBoolean(true) ? "active" : "not set up";
      table.row(
          user.path("name").asText(),
          user.path("displayName").asText(),
          user.path("role").asText("-"),
          state);
    }
    table.print(session.terminal());
    return 0;
  }

  @Command(
      name = "add",
      description =
          "Create an account. Its set-up code is printed once, on stdout: with it the user sets a"
              + " password at /setup.")
  int add(
      @Parameters(paramLabel = "NAME", description = "Lower-case letters, digits and -.")
          String name,
      @Option(names = "--role", paramLabel = "R", description = ROLES + " Default: user.")
          @Nullable String role,
      @Option(names = "--display-name", paramLabel = "TEXT", description = "The name to show.")
          @Nullable String displayName,
      @Option(names = "--mail", paramLabel = "ADDRESS", description = "A mail address.")
          @Nullable String mail) {
    ObjectNode body = change(role, displayName, mail).put("name", name);
    JsonNode created =
        session.api().post(Resource.of("users"), body.toString(), "application/json");
    if (session.json()) {
      session.print(created);
      return 0;
    }
    session
        .terminal()
        .say("created " + name + "; the code is good until " + created.path("setupUntil").asText());
    session.terminal().out().println(created.path("setupCode").asText());
    return 0;
  }

  @Command(name = "change", description = "Change an account.")
  int change(
      @Parameters(paramLabel = "NAME", description = "The user.") String name,
      @Option(names = "--role", paramLabel = "R", description = ROLES) @Nullable String role,
      @Option(names = "--display-name", paramLabel = "TEXT", description = "The name to show.")
          @Nullable String displayName,
      @Option(names = "--mail", paramLabel = "ADDRESS", description = "A mail address.")
          @Nullable String mail) {
    return patch(name, change(role, displayName, mail));
  }

  @Command(
      name = "disable",
      description = "Disable an account: it is out at once, and its tokens open nothing.")
  int disable(@Parameters(paramLabel = "NAME", description = "The user.") String name) {
    return patch(name, JsonNodeFactory.instance.objectNode().put("active", false));
  }

  @Command(name = "enable", description = "Enable an account that was disabled.")
  int enable(@Parameters(paramLabel = "NAME", description = "The user.") String name) {
    return patch(name, JsonNodeFactory.instance.objectNode().put("active", true));
  }

  @Command(
      name = "password",
      description = "Set the password of a user, as an administrator. It is asked for.")
  int password(
      @Parameters(paramLabel = "NAME", description = "The user.") String name,
      @Option(names = "--password-stdin", description = "Read the password from stdin.")
          boolean fromStdin) {
    String password = PasswordPrompt.ask(session, fromStdin, "New password of " + name + ": ");
    session
        .api()
        .post(
            Resource.of("users", name, "password"),
            JsonNodeFactory.instance.objectNode().put("password", password).toString(),
            "application/json");
    return 0;
  }

  private static ObjectNode change(
      @Nullable String role, @Nullable String displayName, @Nullable String mail) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (role != null) {
      body.put("role", role);
    }
    if (displayName != null) {
      body.put("displayName", displayName);
    }
    if (mail != null) {
      body.put("mail", mail);
    }
    return body;
  }

  private int patch(String name, ObjectNode body) {
    JsonNode user = session.api().patch(Resource.of("users", name), body);
    if (session.json()) {
      session.print(user);
    }
    return 0;
  }
}
