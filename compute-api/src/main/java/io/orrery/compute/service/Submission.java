package io.orrery.compute.service;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a trial, or of a step of a run, ready to run.
 *
 * @param sequenceId the trial's number within the experiment
 * @param parameters what the attempt runs with
 * @param job the settings of a step; null for a trial
 * @param user whose workspace its program sees where it runs in a sandbox; empty for none
 */
public record Submission(
    AttemptRef attempt,
    long sequenceId,
    ParameterSet parameters,
    ExperimentSpec spec,
    @Nullable JobSettings job,
    String user) {
  /** An attempt of a trial, without a workspace. */
  public Submission(
      AttemptRef attempt, long sequenceId, ParameterSet parameters, ExperimentSpec spec) {
    this(attempt, sequenceId, parameters, spec, null, "");
  }

  /** The same for a user. */
  public Submission of(String owner) {
    return new Submission(attempt, sequenceId, parameters, spec, job, owner);
  }
}
