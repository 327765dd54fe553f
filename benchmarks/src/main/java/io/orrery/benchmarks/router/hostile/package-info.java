/**
 * A load program of hostile clients against a router that runs alone: what it holds in memory, and
 * how well-behaved clients beside them fare.
 */
@NullMarked
package io.orrery.benchmarks.router.hostile;

import org.jspecify.annotations.NullMarked;
