/**
 * Many configurations for a short time, the best of them for longer: {@link
 * io.orrery.tuner.search.hyperband.Hyperband}. {@link io.orrery.tuner.search.hyperband.Ladder} says
 * how many for how long, {@link io.orrery.tuner.search.hyperband.BracketTuner} walks it, and leaves
 * to {@link io.orrery.tuner.search.hyperband.Proposals} where new configurations come from.
 */
@NullMarked
package io.orrery.tuner.search.hyperband;

import org.jspecify.annotations.NullMarked;
