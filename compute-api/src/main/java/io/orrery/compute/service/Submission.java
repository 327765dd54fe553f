package io.orrery.compute.service;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a trial, or of a step of a run, ready to run.
 *
 * @param sequenceId the trial's number within the experiment
 * @param parameters what the attempt runs with
 * @param job what runs, and where
 * @param step what a step has besides; null for a trial
 * @param user whose workspace its program sees where it runs in a sandbox; empty for none
 */
public record Submission(
    AttemptRef attempt,
    long sequenceId,
    ParameterSet parameters,
    JobSpec job,
    @Nullable StepSetup step,
    String user) {
  /** An attempt of a trial, without a workspace. */
  public Submission(AttemptRef attempt, long sequenceId, ParameterSet parameters, JobSpec job) {
    this(attempt, sequenceId, parameters, job, null, "");
  }

  /** The same for a user. */
  public Submission of(String owner) {
    return new Submission(attempt, sequenceId, parameters, job, step, owner);
  }

  /** The same attempt with another job. */
  public Submission with(JobSpec other) {
    return new Submission(attempt, sequenceId, parameters, other, step, user);
  }
}
