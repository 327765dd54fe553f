/**
 * The tree-structured Parzen estimator. {@link io.orrery.tuner.search.tpe.Tpe} keeps the history
 * and asks one of two models for the next point: {@code Joint}, which sees all parameters together
 * and is the default, or {@code Independent}, which is NNI's.
 */
@NullMarked
package io.orrery.tuner.search.tpe;

import org.jspecify.annotations.NullMarked;
