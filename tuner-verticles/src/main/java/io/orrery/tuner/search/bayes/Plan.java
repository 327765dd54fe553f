package io.orrery.tuner.search.bayes;

import io.orrery.tuner.surrogate.Look;
import io.orrery.tuner.surrogate.Surrogate;

/**
 * How one suggestion is found.
 *
 * @param additive whether the model may add up the effects of parameters, instead of having all of
 *     them depend on each other
 * @param look how far the model is trusted
 * @param aim what a place is worth
 */
public record Plan(boolean additive, Look look, Surrogate.Aim aim) {}
