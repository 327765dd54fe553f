package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the caller: {@code orrery whoami}. */
@Command(
    name = "whoami",
    description = "Print who the server takes you for, and your roles in projects.")
public final class WhoAmICommand implements Callable<Integer> {
  private final Session session;

  public WhoAmICommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode me = session.api().get(Resource.of("me"));
    if (session.json()) {
      session.print(me);
      return 0;
    }
    session
        .terminal()
        .out()
        .println(me.path("user").asText() + " (" + me.path("role").asText() + ")");
    for (JsonNode project : me.path("projects")) {
      session
          .terminal()
          .out()
          .println("  " + project.path("name").asText() + ": " + project.path("role").asText());
    }
    return 0;
  }
}
