/**
 * The decisions about an experiment, pure: an event ({@link
 * io.orrery.orchestrator.experiment.model.Occurrence}) goes into {@link
 * io.orrery.orchestrator.experiment.model.ExperimentModel}, {@link
 * io.orrery.orchestrator.experiment.model.Decision decisions} come out. It knows nothing of Vert.x,
 * of SQL or of the bus; a test holds that.
 */
@NullMarked
package io.orrery.orchestrator.experiment.model;

import org.jspecify.annotations.NullMarked;
