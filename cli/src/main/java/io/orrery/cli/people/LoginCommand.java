package io.orrery.cli.people;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.StoredLogin;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs in to a server: {@code orrery login}. */
@Command(
    name = "login",
    description = {
      "Sign in to a server that asks who calls, and remember it for the commands that follow.",
      "A personal token of its own is made for this machine; `orrery logout` revokes it."
    })
public final class LoginCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description = "The server. Default: as for every command.")
  private @Nullable String url;

  @Option(names = "--user", paramLabel = "U", description = "Your name. Default: $USER.")
  private @Nullable String user;

  @Option(
      names = "--password-stdin",
      description = "Read the password from stdin, for scripts; else it is asked for.")
  private boolean fromStdin;

  public LoginCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ServerAddress address = url == null ? session.api().address() : ServerAddress.at(url);
    String person = user == null ? session.terminal().environment().getOrDefault("USER", "") : user;
    if (person.isEmpty()) {
      throw CommandFailure.refused("say who you are with --user");
    }
    String password = PasswordPrompt.ask(session, fromStdin, "Password of " + person + ": ");
    Api api = session.at(address);
    String cookie =
        api.signIn(
            JsonNodeFactory.instance.objectNode().put("user", person).put("password", password));
    String label = "cli-" + UUID.randomUUID().toString().substring(0, 8);
    String secret =
        api.post(
                Resource.of("me", "tokens"),
                JsonNodeFactory.instance.objectNode().put("name", label),
                cookie)
            .path("token")
            .asText();
    new StoredLogin(address.url(), person, label, secret).write(session.terminal().home());
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("user", person)
              .put("url", address.url().toString()));
    } else {
      session.terminal().say("signed in to " + address.url() + " as " + person);
    }
    return 0;
  }
}
