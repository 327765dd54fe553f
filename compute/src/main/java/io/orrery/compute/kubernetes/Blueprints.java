package io.orrery.compute.kubernetes;

import io.orrery.core.experiment.JobSpec;
import io.orrery.kubernetes.ServedVersions;

/** Reads what the jobs of an experiment are made from; asks the cluster where it must. */
@FunctionalInterface
public interface Blueprints {
  /**
   * @param served what the cluster serves
   * @throws io.orrery.core.problem.ProblemException when it cannot work
   */
  Blueprint of(JobSpec job, ServedVersions served);
}
