/**
 * The life of one trial. {@link io.orrery.orchestrator.trial.TrialLife} is its table of states,
 * used live, after a restart and to draw the diagram in the documentation; {@link
 * io.orrery.orchestrator.trial.TrialState} is a trial in memory; {@link
 * io.orrery.orchestrator.trial.GivenSets} are its parameter sets and what came of them. Nothing
 * here knows of Vert.x.
 */
@NullMarked
package io.orrery.orchestrator.trial;

import org.jspecify.annotations.NullMarked;
