/**
 * The tree-structured Parzen estimator: {@link io.orrery.tuner.search.tpe.Tpe}. Its parts are the
 * densities over one axis, of numbers and of categories.
 */
@NullMarked
package io.orrery.tuner.search.tpe;

import org.jspecify.annotations.NullMarked;
