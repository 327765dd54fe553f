/** Measures runs of pipelines: what a step costs the server. */
@NullMarked
package io.orrery.benchmarks.pipelines;

import org.jspecify.annotations.NullMarked;
