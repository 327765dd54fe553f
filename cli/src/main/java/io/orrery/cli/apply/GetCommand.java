package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.people.ProjectSheet;
import io.orrery.cli.service.ServiceSheet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints objects of a kind: {@code orrery get}. */
@Command(
    name = "get",
    description = "Print the objects of a kind, or one of them; --json prints all of it.")
public final class GetCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "project, template, pipeline or service.")
  private String kind = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Default: all.")
  private @Nullable String name;

  public GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ManifestKind wanted = ManifestKind.typed(kind);
    List<JsonNode> items =
        name == null
            ? session.api().list(Resource.of(wanted.collection()), null)
            : List.of(session.api().get(Resource.of(wanted.collection(), name)));
    if (session.json()) {
      if (name == null) {
        session.print(items);
      } else {
        session.print(items.getFirst());
      }
      return 0;
    }
    switch (wanted) {
      case PROJECT -> ProjectSheet.table(session, items);
      case TEMPLATE -> PipelineSheet.templates(session, items);
      case PIPELINE -> PipelineSheet.pipelines(session, items);
      case SERVICE -> ServiceSheet.table(session, items);
    }
    return 0;
  }
}
