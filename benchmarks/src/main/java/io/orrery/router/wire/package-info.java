/**
 * Micro-benchmarks of heads, in the package of what they measure, as tests are: nothing there is
 * made public for their sake.
 */
@NullMarked
package io.orrery.router.wire;

import org.jspecify.annotations.NullMarked;
