package io.orrery.compute;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
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
        null,
        command,
        directory,
        1,
        gpus,
        null,
        null,
        null,
        SearchSpace.EMPTY,
        AlgorithmSpec.named("Random"),
        null,
        Objectives.of(Direction.MAXIMIZE),
        1,
        RetryPolicy.NONE,
        false,
        null,
        platform,
        "{}");
  }
}
