/**
 * The owners of experiments: one writer for each running experiment. {@link
 * io.orrery.orchestrator.experiment.ExperimentModel} takes all decisions, in memory and without
 * Vert.x; {@link io.orrery.orchestrator.experiment.ExperimentVerticle} stores what it decided
 * before the outside sees it; {@link io.orrery.orchestrator.experiment.ExperimentDirectory} is the
 * door.
 */
@NullMarked
package io.orrery.orchestrator.experiment;

import org.jspecify.annotations.NullMarked;
