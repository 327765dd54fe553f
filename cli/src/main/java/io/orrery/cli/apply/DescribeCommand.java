package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.notebook.NotebookSheet;
import io.orrery.cli.service.ServiceSheet;
import io.orrery.cli.token.TokenTable;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Explains the state of an object: {@code orrery describe}. */
@Command(
    name = "describe",
    description = "Explain an object: its state, the reason, its last events, what would help.")
public final class DescribeCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "KIND", description = ObjectKind.TYPED + ".")
  private String kind = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Its name.")
  private String name = "";

  public DescribeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ObjectKind wanted = ObjectKind.typed(kind);
    Resource one = wanted.one(name);
    JsonNode object = wanted.get(session.api(), name);
    if (session.json()) {
      session.print(object);
      return 0;
    }
    switch (wanted) {
      case PROJECT, TEMPLATE, PIPELINE, DOMAIN, MODEL, REGISTRY, BUILD, EXPERIMENT ->
          ObjectSheet.print(session, wanted, object);
      case SERVICE -> {
        List<JsonNode> events = session.api().list(one.below("events"), null);
        ServiceSheet.print(session, object, events);
      }
      case NOTEBOOK ->
          NotebookSheet.print(session, object, session.api().list(one.below("events"), null));
      case TOKEN -> TokenTable.describe(session, object);
    }
    return 0;
  }
}
