package io.orrery.cli.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.people.PasswordPrompt;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery token}. */
@Command(
    name = "token",
    description = "Make, list and revoke tokens for those who may use a server.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class TokenCommand {
  /** The roles that the holder of a token may have. */
  enum Role {
    ADMIN,
    VIEWER
  }

  private final Session session;

  public TokenCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "list",
      description = "List your personal tokens on the server; a token itself is never shown again.")
  int list() {
    List<JsonNode> tokens = session.api().list(Resource.of("me", "tokens"), null);
    if (session.json()) {
      session.print(tokens);
      return 0;
    }
    TokenTable.print(session, tokens);
    return 0;
  }

  @Command(name = "revoke", description = "Revoke a personal token: it opens nothing any more.")
  int revoke(@Parameters(paramLabel = "NAME", description = "Its name.") String name) {
    session.api().delete(Resource.of("me", "tokens", name));
    return 0;
  }

  /**
   * The user of the server who runs this, known by the personal token that `orrery login` made;
   * null for who configures the server, or has not signed in.
   */
  private @Nullable String signedIn() {
    if (session.api().address().token() == null) {
      return null;
    }
    try {
      JsonNode me = session.api().get(Resource.of("me"));
      return me.path("kind").asText().equals("token") ? me.path("user").asText() : null;
    } catch (ProblemResponse | Unreachable e) {
      return null;
    }
  }

  /** A token makes no further tokens: the password is asked for, as at the login. */
  private int personal(
      String user, String password, String name, @Nullable String expires, @Nullable String scope) {
    String cookie =
        session
            .api()
            .signIn(
                JsonNodeFactory.instance.objectNode().put("user", user).put("password", password));
    ObjectNode wanted = JsonNodeFactory.instance.objectNode().put("name", name);
    if (expires != null) {
      wanted.put("expiresAt", expires);
    }
    if (scope != null) {
      wanted.put("scope", scope);
    }
    JsonNode made = session.api().post(Resource.of("me", "tokens"), wanted, cookie);
    if (session.json()) {
      session.print(made);
    } else {
      session.terminal().out().println(made.path("token").asText());
    }
    return 0;
  }

  /** The token alone goes to stdout, so that {@code TOKEN=$(orrery token create ci)} holds it. */
  @Command(
      name = "create",
      description =
          "Make a token. It is printed once, on stdout. Who has signed in makes a personal token, with the password;"
              + " everyone else, and --role, makes one for the server's configuration, whose lines,"
              + " with its SHA-256 alone, are printed on stderr.")
  int create(
      @Parameters(paramLabel = "NAME", description = "Who will hold it.") String name,
      @Option(
              names = "--role",
              paramLabel = "R",
              description =
                  "For the configuration: admin, or viewer, who changes nothing. Default: admin.")
          @Nullable Role asked,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              description = "When a personal token ends, as 2027-01-31T12:00:00Z.")
          @Nullable String expires,
      @Option(
              names = "--scope",
              paramLabel = "S",
              description = "Of a personal token: full, or read. Default: full.")
          @Nullable String scope,
      @Option(
              names = "--password-stdin",
              description = "For a personal token: read your password from stdin.")
          boolean fromStdin) {
    String user = asked == null ? signedIn() : null;
    if (user != null) {
      String password = PasswordPrompt.ask(session, fromStdin, "Password of " + user + ": ");
      return personal(user, password, name, expires, scope);
    }
    if (expires != null || scope != null || fromStdin) {
      throw CommandFailure.refused(
          "--expires, --scope and --password-stdin are for personal tokens: sign in with"
              + " `orrery login` first, and leave out --role");
    }
    Role role = asked == null ? Role.ADMIN : asked;
    BearerToken token = BearerToken.random(new SecureRandom());
    String word = role.name().toLowerCase(Locale.ROOT);
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("name", name)
              .put("role", word)
              .put("token", token.text())
              .put("sha256", token.sha256()));
      return 0;
    }
    session.terminal().out().println(token.text());
    session
        .terminal()
        .err()
        .printf(
            Locale.ROOT,
            """

            It is not kept anywhere. The server knows it by these lines in its configuration:

            auth:
              tokens:
                - {name: %s, role: %s, sha256: %s}
            """,
            name.matches("[A-Za-z][A-Za-z0-9_-]*") ? name : Json.write(name),
            word,
            token.sha256());
    return 0;
  }
}
