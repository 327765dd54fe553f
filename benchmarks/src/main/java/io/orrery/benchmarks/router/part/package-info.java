/** Micro-benchmarks of a routing decision, and the garbage of a whole request. */
@NullMarked
package io.orrery.benchmarks.router.part;

import org.jspecify.annotations.NullMarked;
