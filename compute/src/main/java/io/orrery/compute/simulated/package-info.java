/**
 * A platform whose trials do not run: they wait, report, end and go wrong as a {@link
 * io.orrery.compute.simulated.Scenario} says, and their results follow from a formula over their
 * parameters. For rehearsing budgets and search settings, and for trying the program at a size that
 * no machine here has.
 *
 * <p>What becomes of an attempt ({@link io.orrery.compute.simulated.Fate}) is a function of the
 * experiment's seed, the trial's number and the attempt's: it is the same in every run, and after
 * every restart.
 */
@NullMarked
package io.orrery.compute.simulated;

import org.jspecify.annotations.NullMarked;
