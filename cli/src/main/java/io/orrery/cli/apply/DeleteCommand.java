package io.orrery.cli.apply;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Deletes objects: {@code orrery delete}. */
@Command(
    name = "delete",
    description =
        "Delete objects of a kind; a service ends at all stages, a token opens nothing any more.")
public final class DeleteCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "A kind with documents but domain, which goes with its services; or token.")
  private String kind = "";

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "Their names.")
  private List<String> names = List.of();

  public DeleteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ObjectKind wanted = ObjectKind.typed(kind);
    if (wanted == ObjectKind.DOMAIN) {
      throw CommandFailure.refused(
          "a domain goes with its services: delete them, or give them another host");
    }
    for (String name : names) {
      session.api().delete(wanted.one(name));
      session.terminal().out().println("deleted " + wanted.word() + "/" + name);
    }
    return 0;
  }
}
