/** Programs that are measured beside ours, each a process of the benchmark's own. */
@NullMarked
package io.orrery.benchmarks.child;

import org.jspecify.annotations.NullMarked;
