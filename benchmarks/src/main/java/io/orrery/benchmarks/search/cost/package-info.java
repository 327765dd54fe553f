/** Searches whose trials differ in what they cost. */
@NullMarked
package io.orrery.benchmarks.search.cost;

import org.jspecify.annotations.NullMarked;
