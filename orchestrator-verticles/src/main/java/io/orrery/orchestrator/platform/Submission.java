package io.orrery.orchestrator.platform;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterSet;

/**
 * An attempt of a trial, ready to run.
 *
 * @param sequenceId the trial's number within the experiment
 * @param parameters what the attempt runs with
 */
public record Submission(
    AttemptRef attempt, long sequenceId, ParameterSet parameters, ExperimentSpec spec) {}
