/**
 * What a search believes of a function that it has seen at some places, and where it would look
 * next: {@link io.orrery.tuner.surrogate.Surrogate}. Gaussian processes over the unit cube of
 * {@link io.orrery.tuner.encode.UnitCube}; knows nothing of trials, and keeps nothing from one
 * question to the next but what can be computed again.
 */
@NullMarked
package io.orrery.tuner.surrogate;

import org.jspecify.annotations.NullMarked;
