/**
 * The tables of experiments and trials: rows of the model written and read, pages of trials, points
 * of charts and Pareto fronts as queries.
 */
@NullMarked
package io.orrery.orchestrator.experiment.store;

import org.jspecify.annotations.NullMarked;
