/**
 * What platforms say. {@link io.orrery.orchestrator.status.StatusVerticle} is the listener of all
 * of them: it brings their news home to one context and passes them on to the owner of the
 * experiment, and their reports to the metrics. It decides nothing about trials.
 */
@NullMarked
package io.orrery.orchestrator.status;

import org.jspecify.annotations.NullMarked;
