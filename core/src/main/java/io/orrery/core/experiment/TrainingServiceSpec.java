package io.orrery.core.experiment;

import io.orrery.core.trial.Parameters;

/**
 * The platform of an experiment and its configuration.
 *
 * @param platform the platform's name, lower case, as in {@code platform:}
 * @param settings its validated settings with defaults, JSON values by NNI's camelCase names
 */
public record TrainingServiceSpec(String platform, Parameters settings) {}
