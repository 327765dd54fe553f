/** Model-based search with a random forest: {@link io.orrery.tuner.search.smac.Smac}. */
@NullMarked
package io.orrery.tuner.search.smac;

import org.jspecify.annotations.NullMarked;
