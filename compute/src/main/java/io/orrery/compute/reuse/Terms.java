package io.orrery.compute.reuse;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conditions that a platform sets for its environments. */
public interface Terms {
  /**
   * How its trials live there. May block.
   *
   * @throws io.orrery.core.problem.ProblemException when it cannot work
   */
  EnvironmentTenancy tenancy(JobSpec job);

  /** Variables that a trial's keeper gets besides those of every keeper. */
  Map<String, String> variables(JobSpec job, AttemptRef attempt);

  /** Where people find its files, when that is not the server; else null. */
  @Nullable String url(JobSpec job, AttemptRef attempt);
}
