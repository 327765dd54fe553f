package io.orrery.cli.completion;

import io.orrery.cli.client.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine.Command;

/** {@code orrery schema}: the schemas of files, for editors. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of a file, for editors and linters.",
    synopsisSubcommandLabel = "FILE",
    commandListHeading = "Files:%n")
public final class SchemaCommand {
  private static final String EXPERIMENT = "experiment.schema.json";

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
    try (InputStream schema =
        Objects.requireNonNull(SchemaCommand.class.getResourceAsStream(EXPERIMENT), EXPERIMENT)) {
      schema.transferTo(session.terminal().out());
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
