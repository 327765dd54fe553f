package io.orrery.cli.people;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.StoredLogin;
import io.orrery.cli.client.Unreachable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Signs out: {@code orrery logout}. */
@Command(name = "logout", description = "Revoke the token that `orrery login` made, and forget it.")
public final class LogoutCommand implements Callable<Integer> {
  private final Session session;

  public LogoutCommand(Session session) {
    this.session = session;
  }

  /** Forgets the token even when the server cannot be told, and says so. */
  @Override
  public Integer call() {
    StoredLogin login =
        StoredLogin.read(session.terminal().home())
            .orElseThrow(() -> CommandFailure.failed("there is no login to forget here"));
    StoredLogin.delete(session.terminal().home());
    try {
      session
          .at(new ServerAddress(login.url(), login.token(), ServerAddress.Source.LOGIN))
          .delete(Resource.of("me", "tokens", String.valueOf(login.name())));
    } catch (ProblemResponse | Unreachable e) {
      session
          .terminal()
          .say("the server was not told, and knows the token still: " + e.getMessage());
      return CommandFailure.FAILED;
    }
    return 0;
  }
}
