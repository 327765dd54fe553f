package io.orrery.cli.completion;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.schema.DocumentSchemas;
import io.orrery.core.text.Nearest;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery schema}: the schemas of files, for editors. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of a file, for editors and linters.",
    synopsisSubcommandLabel = "FILE",
    commandListHeading = "Files:%n")
public final class SchemaCommand {
  private final Session session;

  public SchemaCommand(Session session) {
    this.session = session;
  }

  @Command(
      name = "experiment",
      description = {
        "Print the JSON Schema (2020-12) of an experiment's configuration.",
        "In the first line of a YAML file, `# yaml-language-server: $schema=FILE` names it to"
            + " editors."
      })
  int experiment() {
    session.terminal().out().print(FileSchemas.experiment());
    return 0;
  }

  @Command(name = "document", description = "Print the JSON Schema (2020-12) of a document.")
  int document(
      @Parameters(
              paramLabel = "KIND",
              description = "project, template, pipeline, service or notebook.")
          String kind) {
    String lower = kind.toLowerCase(Locale.ROOT);
    if (!DocumentSchemas.KINDS.contains(lower)) {
      throw CommandFailure.refused(
          "there is no kind '%s'; there is %s%s"
              .formatted(
                  kind,
                  String.join(", ", DocumentSchemas.KINDS),
                  Nearest.hint(lower, DocumentSchemas.KINDS)));
    }
    session.terminal().out().println(DocumentSchemas.of(lower).toPrettyString());
    return 0;
  }
}
