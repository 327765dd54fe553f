package io.orrery.cli.experiment;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.OutputFile;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment export}. */
@Command(name = "export", description = "Write the parameters and results of all trials.")
final class ExportExperiment implements Callable<Integer> {
  private final Session session;

  /** The formats that the API can write. */
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
        OutputFile.write(
            session.terminal().directory().resolve(output), out -> session.api().copy(export, out));
      }
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed(
          (output == null ? "standard output" : output) + ": " + FileFault.words(e));
    }
  }
}
