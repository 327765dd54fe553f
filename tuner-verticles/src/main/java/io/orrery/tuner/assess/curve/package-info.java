/**
 * Stopping by extrapolation: {@link io.orrery.tuner.assess.curve.CurveFitting} judges, {@code
 * Extrapolation} continues a learning curve, {@code Family} is one form that such curves take.
 */
@NullMarked
package io.orrery.tuner.assess.curve;

import org.jspecify.annotations.NullMarked;
