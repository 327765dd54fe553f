/** Measures schedules of pipelines: how long after its time a due run is submitted. */
@NullMarked
package io.orrery.benchmarks.schedules;

import org.jspecify.annotations.NullMarked;
