/**
 * Experiments and the catalogue of algorithms over HTTP. Entry type: {@link
 * io.orrery.gateway.experiment.ExperimentApi}; what an experiment looks like as JSON is {@link
 * io.orrery.gateway.experiment.ExperimentShape}. A configuration passes through as text: it is the
 * orchestrator that reads it.
 */
@NullMarked
package io.orrery.gateway.experiment;

import org.jspecify.annotations.NullMarked;
