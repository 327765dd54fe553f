package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The verbs that write an experiment as other programs do: {@code orrery export}. */
@Command(
    name = "export",
    description = "Write an experiment in the form of another program.",
    synopsisSubcommandLabel = "PROGRAM",
    commandListHeading = "Programs:%n")
public final class ExportCommand {
  private final Session session;

  public ExportCommand(Session session) {
    this.session = session;
  }

  /** Writes one experiment; the number of its trials. */
  private interface Writer {
    long write(ArchivedExperiment experiment) throws IOException;
  }

  @Command(name = "optuna", description = "As a study in a new SQLite file, for Optuna 3.2 and on.")
  int optuna(
      @Mixin ExperimentChoice choice,
      @Option(
              names = "--output",
              paramLabel = "FILE",
              required = true,
              description = "The file, which is made.")
          Path file) {
    if (Files.exists(here(file))) {
      throw CommandFailure.refused(file + " is there already: name a new file");
    }
    JsonNode experiment = choice.shown(session);
    List<OptunaFile.Objective> objectives = new ArrayList<>();
    for (JsonNode each : experiment.path("objectives")) {
      objectives.add(
          new OptunaFile.Objective(
              each.path("metric").asText(), each.path("goal").asText().equals("maximize")));
    }
    return write(
        experiment,
        file,
        read -> OptunaFile.write(here(file), ZoneId.systemDefault(), read, objectives));
  }

  @Command(
      name = "mlflow",
      description = "As runs in a folder that `mlflow ui --backend-store-uri` reads.")
  int mlflow(
      @Mixin ExperimentChoice choice,
      @Option(
              names = "--output",
              paramLabel = "DIR",
              required = true,
              description = "The folder, such as mlruns; it may have other experiments.")
          Path folder) {
    return write(
        choice.shown(session),
        folder,
        new MlflowFolder(here(folder), new ForeignFiles(session.terminal()::say))::write);
  }

  @Command(
      name = "wandb",
      description = "As a directory for each trial, with the files that wandb keeps of a run.")
  int wandb(
      @Mixin ExperimentChoice choice,
      @Option(
              names = "--output",
              paramLabel = "DIR",
              required = true,
              description = "The folder; it may have other runs.")
          Path folder) {
    return write(
        choice.shown(session),
        folder,
        new WandbFolder(here(folder), new ForeignFiles(session.terminal()::say))::write);
  }

  private Path here(Path target) {
    return session.terminal().directory().resolve(target).toAbsolutePath().normalize();
  }

  private int write(JsonNode experiment, Path target, Writer writer) {
    String id = experiment.path("id").asText();
    long[] trials = {0};
    try {
      ArchivedExperiment.read(session, id, read -> trials[0] = writer.write(read));
    } catch (IOException e) {
      throw CommandFailure.failed(FileFault.words(e));
    }
    session.terminal().say("experiment %s with %,d trials is written".formatted(id, trials[0]));
    session.terminal().out().println(target);
    return 0;
  }
}
