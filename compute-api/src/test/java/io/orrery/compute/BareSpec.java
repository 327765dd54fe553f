package io.orrery.compute;

import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import org.jspecify.annotations.Nullable;

/** An experiment that says what it must and no more, for tests of what its trials meet. */
public final class BareSpec {
  private BareSpec() {}

  /** On a platform that is asked for nothing but its name. */
  public static ExperimentSpec on(
      String platform, String command, String directory, @Nullable Integer gpus) {
    return on(new TrainingServiceSpec(platform, Parameters.EMPTY), command, directory, gpus);
  }

  /**
   * @param gpus of a trial; null for none of its business
   */
  public static ExperimentSpec on(
      TrainingServiceSpec platform, String command, String directory, @Nullable Integer gpus) {
    return new ExperimentSpec(
        ExperimentDescription.named(null),
        SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, 1),
        JobSpec.of(command, directory, gpus, platform),
        ExperimentLimits.of(1, null));
  }
}
