/**
 * The benchmarks behind the figures of the documentation. {@link io.orrery.benchmarks.Benchmarks}
 * runs one by its name; each prints a table with its peers beside us and can write JSON lines. No
 * module depends on this one.
 */
@NullMarked
package io.orrery.benchmarks;

import org.jspecify.annotations.NullMarked;
