package io.orrery.compute.local;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.trial.Parameters;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environment of Python packages that the programs of a specification run in. */
final class LocalEnvironment {
  private LocalEnvironment() {}

  /** Its directory; empty for the programs of the machine itself. */
  static Optional<Path> directory(ExperimentSpec spec, EnvironmentPlace environments) {
    return EnvironmentChoice.of(settings(spec).values())
        .map(choice -> choice.directory(environments));
  }

  private static Parameters settings(ExperimentSpec spec) {
    return spec.job().trainingService().settings();
  }

  /** A sentence about what no program can run in; null when nothing is wrong. Reads the disk. */
  static @Nullable String missing(ExperimentSpec spec, EnvironmentPlace environments) {
    String image = EnvironmentChoice.text(settings(spec).values());
    if (image == null) {
      return null;
    }
    Path directory = directory(spec, environments).orElse(null);
    if (directory == null) {
      return "the environment %s has no digest: trials and steps take it when they are created"
          .formatted(image);
    }
    return EnvironmentPlace.isComplete(directory) ? null : EnvironmentPlace.missing(image);
  }
}
