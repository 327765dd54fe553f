package io.orrery.cli.token;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Session;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import java.security.SecureRandom;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery token}. */
@Command(
    name = "token",
    description = "Make tokens for those who may use a server.",
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

  /** The token alone goes to stdout, so that {@code TOKEN=$(orrery token create ci)} holds it. */
  @Command(
      name = "create",
      description =
          "Make a token. It is printed once, on stdout; the lines for the server's configuration,"
              + " which hold its SHA-256 alone, are printed on stderr.")
  int create(
      @Parameters(paramLabel = "NAME", description = "Who will hold it.") String name,
      @Option(
              names = "--role",
              paramLabel = "R",
              defaultValue = "admin",
              description = "admin, or viewer: looks and changes nothing. Default: admin.")
          Role role) {
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
