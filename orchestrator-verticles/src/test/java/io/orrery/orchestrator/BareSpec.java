package io.orrery.orchestrator;

import io.orrery.compute.BareJob;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;

/** An experiment that says what it must and no more. */
public final class BareSpec {
  private BareSpec() {}

  /** On a platform that is asked for nothing but its name. */
  public static ExperimentSpec on(String platform, String command, String directory) {
    return new ExperimentSpec(
        ExperimentDescription.named(null),
        SearchSpec.random(SearchSpace.EMPTY, Direction.MAXIMIZE, 1),
        BareJob.on(platform, command, directory, null),
        ExperimentLimits.of(1, null));
  }
}
