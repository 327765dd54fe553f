/** What the parts of a routing decision cost, and what a whole request leaves to the collector. */
@NullMarked
package io.orrery.benchmarks.router.part;

import org.jspecify.annotations.NullMarked;
