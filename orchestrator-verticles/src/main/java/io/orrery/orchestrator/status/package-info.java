/**
 * The events of platforms. {@link io.orrery.orchestrator.status.StatusListener} is the listener of
 * all of them: it passes their news on to the owner of the experiment, and their reports to the
 * metrics. It decides nothing about trials.
 */
@NullMarked
package io.orrery.orchestrator.status;

import org.jspecify.annotations.NullMarked;
