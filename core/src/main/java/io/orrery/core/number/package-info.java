/**
 * The rules for numbers that everything shares: {@link io.orrery.core.number.Numbers} says which
 * are finite, whole or equal, {@link io.orrery.core.number.Lattice} what a multiple of a step is,
 * and {@link io.orrery.core.number.RunningMean} averages without overflow. How results compare that
 * are not finite is {@link io.orrery.core.metric.Direction}'s; what a trial may report, {@link
 * io.orrery.core.metric.MetricValue}'s.
 */
@NullMarked
package io.orrery.core.number;

import org.jspecify.annotations.NullMarked;
