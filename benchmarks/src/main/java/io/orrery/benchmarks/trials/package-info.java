/**
 * Real trials on this machine: what a trial costs the server, and how long a free slot waits. Entry
 * type: {@link io.orrery.benchmarks.trials.TrialsBenchmark}.
 */
@NullMarked
package io.orrery.benchmarks.trials;

import org.jspecify.annotations.NullMarked;
