/**
 * Bayesian optimisation with a Gaussian process: {@link io.orrery.tuner.search.gp.Gp}. The model
 * itself is in {@code tuner.surrogate}.
 */
@NullMarked
package io.orrery.tuner.search.gp;

import org.jspecify.annotations.NullMarked;
