/**
 * A list of parameter sets, worked off: {@link io.orrery.tuner.search.batch.Batch}. It invents
 * nothing.
 */
@NullMarked
package io.orrery.tuner.search.batch;

import org.jspecify.annotations.NullMarked;
