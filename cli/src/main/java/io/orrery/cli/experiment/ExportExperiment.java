package io.orrery.cli.experiment;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orrery experiment export}. */
@Command(name = "export", description = "Write the parameters and results of all trials.")
final class ExportExperiment implements Callable<Integer> {
  private final Session session;

  /** What the API can write. */
  enum Format {
    json,
    csv
  }

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(names = "--format", paramLabel = "F", description = "json (default) or csv.")
  private Format format = Format.json;

  @Option(names = "--output", paramLabel = "FILE", description = "Where to. Default: stdout.")
  private @Nullable Path output;

  ExportExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (session.json() && format != Format.json) {
      throw CommandFailure.refused("--json and --format " + format + " exclude each other");
    }
    String experiment = choice.shown(session).path("id").asText();
    Resource export = Resource.of("experiments", experiment, "export").with("format", format);
    try {
      if (output == null) {
        session.api().copy(export, session.terminal().out());
      } else {
        save(export, session.terminal().directory().resolve(output));
      }
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the export broke off: " + FileFault.words(e));
    }
  }

  /** Whole or not at all: half an export looks like an export. */
  private void save(Resource export, Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path part = Files.createTempFile(folder, ".export", ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        session.api().copy(export, out);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
