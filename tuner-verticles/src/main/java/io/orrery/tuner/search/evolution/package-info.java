/** Search by mutation and selection: {@link io.orrery.tuner.search.evolution.Evolution}. */
@NullMarked
package io.orrery.tuner.search.evolution;

import org.jspecify.annotations.NullMarked;
