/**
 * What a suggestion costs. Entry type: {@link io.orrery.benchmarks.tunerspeed.TunerSpeedBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.tunerspeed;

import org.jspecify.annotations.NullMarked;
