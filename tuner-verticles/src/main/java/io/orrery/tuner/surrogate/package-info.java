/**
 * Surrogate models of a function that was evaluated at some points, and acquisition functions for
 * the next point: {@link io.orrery.tuner.surrogate.Surrogate}. Gaussian processes over the unit
 * cube of {@link io.orrery.tuner.encode.UnitCube}; knows nothing of trials, and keeps nothing from
 * one question to the next but what can be computed again.
 */
@NullMarked
package io.orrery.tuner.surrogate;

import org.jspecify.annotations.NullMarked;
