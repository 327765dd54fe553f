package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment save}: the flags are NNI's. */
@Command(
    name = "save",
    description = {
      "Write an experiment that has ended into a zip file, to be loaded elsewhere:",
      "its configuration, its trials and all that they reported. Credentials are left out."
    })
final class SaveExperiment implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(
      names = {"--path", "-p"},
      paramLabel = "DIR",
      description = "Where to; a folder, or the file's name. Default: here.")
  private @Nullable String path;

  @Option(
      names = {"--saveCodeDir", "--save-code", "-s"},
      description = "With the trials' code directory.")
  private boolean code;

  SaveExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode experiment = choice.experiment(session.api());
    String id = experiment.path("id").asText();
    if (!ExperimentChoice.hasEnded(experiment)) {
      throw CommandFailure.failed(
          "experiment " + id + " is " + experiment.path("status").asText() + ": stop it first");
    }
    Path file = file(id);
    try {
      Archive.write(
          file,
          out -> session.api().copy(Resource.of("experiments", id, "archive"), out),
          code ? codeOf(id) : null);
    } catch (IOException e) {
      throw CommandFailure.failed(file + " cannot be written: " + FileFault.words(e));
    }
    session.terminal().say("experiment " + id + " is saved");
    session.terminal().out().println(file);
    return 0;
  }

  private Path codeOf(String id) {
    String directory =
        session
            .api()
            .get(Resource.of("experiments", id))
            .path("config")
            .path("trialCodeDirectory")
            .asText();
    Path code = Path.of(directory);
    if (directory.isEmpty() || !Files.isDirectory(code)) {
      throw CommandFailure.failed("the code directory '" + directory + "' is not on this machine");
    }
    return code;
  }

  private Path file(String id) {
    String name = "nni_experiment_" + id + ".zip";
    Path here = session.terminal().directory();
    Path wanted = path == null ? here : here.resolve(path);
    return Files.isDirectory(wanted) ? wanted.resolve(name) : wanted;
  }
}
