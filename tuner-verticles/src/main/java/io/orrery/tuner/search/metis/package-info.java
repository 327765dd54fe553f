/** Metis: {@link io.orrery.tuner.search.metis.Metis}, a Gaussian process that also explores. */
@NullMarked
package io.orrery.tuner.search.metis;

import org.jspecify.annotations.NullMarked;
