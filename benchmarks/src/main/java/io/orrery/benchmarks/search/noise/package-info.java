/**
 * The measurement of searches of noisy problems: what becomes of the incumbent with and without
 * repeats of the best configuration.
 */
@NullMarked
package io.orrery.benchmarks.search.noise;

import org.jspecify.annotations.NullMarked;
