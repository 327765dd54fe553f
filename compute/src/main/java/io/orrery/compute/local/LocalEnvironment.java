package io.orrery.compute.local;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.trial.Parameters;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environment of Python packages that the programs of a job run in. */
final class LocalEnvironment {
  private LocalEnvironment() {}

  /** Its directory; empty for the programs of the machine itself. */
  static Optional<Path> directory(JobSpec job, EnvironmentPlace environments) {
    return EnvironmentChoice.of(settings(job).values())
        .map(choice -> choice.directory(environments));
  }

  private static Parameters settings(JobSpec job) {
    return job.trainingService().settings();
  }

  /** A sentence about what no program can run in; null when nothing is wrong. Reads the disk. */
  static @Nullable String missing(JobSpec job, EnvironmentPlace environments) {
    String image = EnvironmentChoice.text(settings(job).values());
    if (image == null) {
      return null;
    }
    Path directory = directory(job, environments).orElse(null);
    if (directory == null) {
      return "the environment %s has no digest: trials and steps take it when they are created"
          .formatted(image);
    }
    return EnvironmentPlace.isComplete(directory) ? null : EnvironmentPlace.missing(image);
  }
}
