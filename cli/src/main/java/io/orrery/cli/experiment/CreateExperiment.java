package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery experiment create FILE}. */
@Command(
    name = "create",
    description =
        "Create an experiment on the running server and print its id; do not wait for it.")
final class CreateExperiment implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "FILE", description = "The experiment's configuration, YAML or JSON.")
  private String file = "";

  @Option(names = "--dry-run", description = "Only check the file; nothing is created.")
  private boolean dryRun;

  @Option(
      names = "--port",
      paramLabel = "P",
      description = "A port of its own, where NNI's clients find this experiment and no other.")
  private @Nullable Integer port;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project that it is created in. Default: public.")
  private @Nullable String project;

  CreateExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ConfigFile config =
        ConfigFile.experiment(file, session.terminal()).answered(session.terminal());
    JsonNode created =
        config.submit(session.api(), dryRun, port, null, project, session.terminal());
    if (session.json()) {
      session.print(created);
    } else if (dryRun) {
      session.terminal().say(file + " is fine");
    } else {
      session.terminal().out().println(created.path("id").asText());
    }
    return 0;
  }
}
