/**
 * The benchmark of the processor time of a suggestion. Entry type: {@link
 * io.orrery.benchmarks.tunerspeed.TunerSpeedBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.tunerspeed;

import org.jspecify.annotations.NullMarked;
