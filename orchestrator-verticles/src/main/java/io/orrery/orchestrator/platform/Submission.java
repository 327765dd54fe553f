package io.orrery.orchestrator.platform;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a trial, or of a step of a run, ready to run.
 *
 * @param sequenceId the trial's number within the experiment
 * @param parameters what the attempt runs with
 * @param job the settings of a step; null for a trial
 */
public record Submission(
    AttemptRef attempt,
    long sequenceId,
    ParameterSet parameters,
    ExperimentSpec spec,
    @Nullable JobSettings job) {
  /** An attempt of a trial. */
  public Submission(
      AttemptRef attempt, long sequenceId, ParameterSet parameters, ExperimentSpec spec) {
    this(attempt, sequenceId, parameters, spec, null);
  }
}
