/**
 * The benchmark of the tuners' results: a {@link io.orrery.benchmarks.search.SearchContender} plays
 * every problem with many seeds under the rules of a {@link io.orrery.benchmarks.search.Protocol},
 * and the {@link io.orrery.benchmarks.search.Scores} stand beside those of its peers. Entry type:
 * {@link io.orrery.benchmarks.search.SearchBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.search;

import org.jspecify.annotations.NullMarked;
