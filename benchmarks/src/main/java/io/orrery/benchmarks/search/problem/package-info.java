/**
 * Problems with known answers for a search to be measured on: {@link
 * io.orrery.benchmarks.search.problem.ProblemSet} reads a folder of them, and a {@link
 * io.orrery.benchmarks.search.problem.SearchProblem} gives the value of a configuration, its
 * learning curve, and how far from the optimum a value is. Nothing here knows of tuners.
 */
@NullMarked
package io.orrery.benchmarks.search.problem;

import org.jspecify.annotations.NullMarked;
