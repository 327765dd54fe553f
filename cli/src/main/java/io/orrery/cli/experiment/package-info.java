/**
 * The verbs under {@code orrery experiment}. Entry type: {@link
 * io.orrery.cli.experiment.ExperimentCommand}; the main job is {@link
 * io.orrery.cli.experiment.RunExperiment}. Never decides about an experiment: what it shows is what
 * the server said.
 */
@NullMarked
package io.orrery.cli.experiment;

import org.jspecify.annotations.NullMarked;
