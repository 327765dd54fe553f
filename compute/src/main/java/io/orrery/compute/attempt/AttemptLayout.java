package io.orrery.compute.attempt;

import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import java.nio.file.Path;

/** The layout of the files of attempts below the home, which is NNI's. */
public final class AttemptLayout {
  private AttemptLayout() {}

  /** The directory of an experiment, which others than platforms may use too. */
  public static Path experiment(Path home, ExperimentId experiment) {
    return home.resolve("experiments").resolve(experiment.value());
  }

  /** The directory of all trials of an experiment. */
  public static Path trials(Path home, ExperimentId experiment) {
    return experiment(home, experiment).resolve("trials");
  }

  /** That of an attempt: its trial's for the first one, within it for each later one. */
  public static Path attempt(Path home, AttemptRef attempt) {
    Path trial =
        trials(home, attempt.trial().experiment()).resolve(attempt.trial().trial().value());
    return attempt.number() == 1 ? trial : trial.resolve("attempt-" + attempt.number());
  }

  /** The name of the file that a stream is written to. */
  public static String file(Stream stream) {
    return switch (stream) {
      case STDOUT -> "stdout";
      case STDERR -> "stderr";
      case TRIAL -> "trial.log";
    };
  }
}
