/**
 * The numerics of search over plain doubles: {@link io.orrery.tuner.math.Rng} is the one source of
 * chance, {@link io.orrery.tuner.math.Gaussian} the normal distribution, {@link
 * io.orrery.tuner.math.Cholesky} the factor of a matrix, {@link io.orrery.tuner.math.Lbfgs} the way
 * downhill, {@link io.orrery.tuner.math.Forest} regression by trees. Knows nothing of search
 * spaces, and never reads a clock or the machine's entropy.
 */
@NullMarked
package io.orrery.tuner.math;

import org.jspecify.annotations.NullMarked;
