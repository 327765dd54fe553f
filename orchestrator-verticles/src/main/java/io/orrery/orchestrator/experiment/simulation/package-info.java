/** The simulation of an experiment in memory: its schedule and length before anything runs. */
@NullMarked
package io.orrery.orchestrator.experiment.simulation;

import org.jspecify.annotations.NullMarked;
