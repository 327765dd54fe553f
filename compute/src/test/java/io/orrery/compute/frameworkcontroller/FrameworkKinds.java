package io.orrery.compute.frameworkcontroller;

import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.core.experiment.JobSpec;
import java.util.Map;

/** The kinds of this package, for tests that look at all kinds. */
public final class FrameworkKinds {
  private FrameworkKinds() {}

  /** Frameworks. */
  public static JobKind framework() {
    return new Framework(Map.of(), true);
  }

  /** What jobs of an experiment are made from. */
  public static Blueprint blueprint(JobSpec job) {
    return FrameworkServiceFactory.blueprint(job);
  }
}
