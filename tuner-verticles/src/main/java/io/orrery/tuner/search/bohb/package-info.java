/**
 * Hyperband whose configurations are not drawn blindly: {@link io.orrery.tuner.search.bohb.Bohb}
 * learns from the results of all budgets where good ones lie, by the {@code KernelDensity} of good
 * and of bad ones.
 */
@NullMarked
package io.orrery.tuner.search.bohb;

import org.jspecify.annotations.NullMarked;
