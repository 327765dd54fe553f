/**
 * CMA-ES: {@link io.orrery.tuner.search.cmaes.CmaEs}, over a {@code CmaesPopulation} that is a fold
 * over the results.
 */
@NullMarked
package io.orrery.tuner.search.cmaes;

import org.jspecify.annotations.NullMarked;
