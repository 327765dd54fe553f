package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.YamlText;
import io.orrery.core.problem.Finding;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery experiment convert FILE}. */
@Command(
    name = "convert",
    description = "Print a configuration of NNI's version 1 in version 3's form, as YAML.")
final class ConvertExperiment implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The configuration, of any platform.")
  private String file = "";

  ConvertExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ConfigFile config = ConfigFile.read(file, session.terminal());
    JsonNode converted;
    try {
      converted =
          session
              .api()
              .post(Resource.of("experiments", "convert"), config.text(), "application/yaml");
    } catch (ProblemResponse refused) {
      if (refused.findings().isEmpty()) {
        throw refused;
      }
      throw CommandFailure.refused(
          refused.findings().stream().map(Finding::text).collect(Collectors.joining("\n")),
          refused);
    }
    if (session.json()) {
      session.print(converted);
      return 0;
    }
    PrintStream out = session.terminal().out();
    if (converted.path("changes").isEmpty()) {
      out.println("# This is the form of version 2 and 3 already.");
    }
    converted.path("changes").forEach(change -> out.println("# " + change.asText()));
    YamlText.print(out, converted.path("config"));
    return 0;
  }
}
