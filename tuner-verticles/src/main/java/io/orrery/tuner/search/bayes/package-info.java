/**
 * The base of tuners with a model of the loss: {@link io.orrery.tuner.search.bayes.BayesianSearch}.
 * A tuner of this kind is a {@link io.orrery.tuner.search.bayes.Plan} for each suggestion; the
 * model is in {@code tuner.surrogate}.
 */
@NullMarked
package io.orrery.tuner.search.bayes;

import org.jspecify.annotations.NullMarked;
