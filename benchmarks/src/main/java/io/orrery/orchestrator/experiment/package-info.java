/**
 * Fills tables of experiments for benchmarks, in the package of those tables: nothing there is made
 * public for their sake.
 */
@NullMarked
package io.orrery.orchestrator.experiment;

import org.jspecify.annotations.NullMarked;
