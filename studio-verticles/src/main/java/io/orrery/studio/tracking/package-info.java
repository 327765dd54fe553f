/**
 * Experiments and runs of tracking clients such as MLflow's: what they logged, and the search for
 * it.
 */
@NullMarked
package io.orrery.studio.tracking;

import org.jspecify.annotations.NullMarked;
