package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.notebook.NotebookSheet;
import io.orrery.cli.people.ProjectSheet;
import io.orrery.cli.service.ServiceSheet;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints objects of a kind: {@code orrery get}. */
@Command(
    name = "get",
    description = "Print the objects of a kind, or one of them; --json prints all of it.")
public final class GetCommand implements Callable<Integer> {
  private static final List<String> FORMS = List.of("table", "wide", "json");

  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "project, template, pipeline, service, notebook, domain, model or experiment.")
  private String kind = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Default: all.")
  private @Nullable String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "table, wide (the keys of every kind) or json. Default: table.")
  private String form = "table";

  public GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ObjectKind wanted = ObjectKind.typed(kind);
    if (!FORMS.contains(form)) {
      throw CommandFailure.refused(
          "-o is one of %s, not '%s'%s"
              .formatted(String.join(", ", FORMS), form, Nearest.hint(form, FORMS)));
    }
    List<JsonNode> items =
        name == null
            ? session.api().list(Resource.of(wanted.collection()), null)
            : List.of(session.api().get(Resource.of(wanted.collection(), name)));
    if (session.json() || form.equals("json")) {
      if (name == null) {
        session.print(items);
      } else {
        session.print(items.getFirst());
      }
      return 0;
    }
    if (form.equals("wide")) {
      ObjectTable.print(session, items);
      return 0;
    }
    switch (wanted) {
      case PROJECT -> ProjectSheet.table(session, items);
      case TEMPLATE -> PipelineSheet.templates(session, items);
      case PIPELINE -> PipelineSheet.pipelines(session, items);
      case SERVICE -> ServiceSheet.table(session, items);
      case NOTEBOOK -> NotebookSheet.table(session, items);
      case DOMAIN, MODEL, EXPERIMENT -> ObjectTable.print(session, items);
    }
    return 0;
  }
}
