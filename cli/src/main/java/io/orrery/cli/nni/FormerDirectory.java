package io.orrery.cli.nni;

import io.orrery.cli.archive.ArchiveVerbs;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --experiment_dir}: where NNI kept an experiment that is to be had here. */
final class FormerDirectory {
  @Option(
      names = {"--experiment_dir", "-e"},
      paramLabel = "DIR",
      description =
          "NNI's working directory; an experiment that is not here is taken over from it.")
  private @Nullable String directory;

  /** The id of an experiment, which is taken over first when it is not here but there. */
  String idOf(Session session, Api api, String given) {
    if (directory != null && !isHere(api, given)) {
      Path there = session.terminal().directory().resolve(directory).normalize();
      Path own = there.resolve(given);
      ArchiveVerbs.takeOver(session, Files.isDirectory(own) ? own : there);
    }
    return ExperimentChoice.idOf(api, given);
  }

  private static boolean isHere(Api api, String given) {
    if (given.isBlank()) {
      throw CommandFailure.refused("say which experiment: its id is empty");
    }
    return api.list(Resource.of("experiments"), null).stream()
        .anyMatch(experiment -> experiment.path("id").asText().startsWith(given));
  }
}
