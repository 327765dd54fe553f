/**
 * Grid search that refines itself: {@link io.orrery.tuner.search.grid.GridSearch}. It draws nothing
 * by chance and never looks at a result.
 */
@NullMarked
package io.orrery.tuner.search.grid;

import org.jspecify.annotations.NullMarked;
