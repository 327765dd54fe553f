/**
 * Very many trials on the simulated platform: what one costs the server, and how much memory it
 * needs, by how many there have been. Entry type: {@link
 * io.orrery.benchmarks.scale.ScaleBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
