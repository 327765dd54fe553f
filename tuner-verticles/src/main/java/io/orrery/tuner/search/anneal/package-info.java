/**
 * Search that draws ever closer to the best trials: {@link io.orrery.tuner.search.anneal.Anneal}.
 */
@NullMarked
package io.orrery.tuner.search.anneal;

import org.jspecify.annotations.NullMarked;
