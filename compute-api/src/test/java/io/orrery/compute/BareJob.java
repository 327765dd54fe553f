package io.orrery.compute;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.trial.Parameters;
import org.jspecify.annotations.Nullable;

/** A job that says what it must and no more. */
public final class BareJob {
  private BareJob() {}

  /** On a platform that is asked for nothing but its name. */
  public static JobSpec on(
      String platform, String command, String directory, @Nullable Integer gpus) {
    return on(new TrainingServiceSpec(platform, Parameters.EMPTY), command, directory, gpus);
  }

  /**
   * @param gpus of an attempt; null for none of its business
   */
  public static JobSpec on(
      TrainingServiceSpec platform, String command, String directory, @Nullable Integer gpus) {
    return JobSpec.of(command, directory, gpus, platform);
  }
}
