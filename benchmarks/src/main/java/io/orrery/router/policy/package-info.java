/**
 * Micro-benchmarks of passes, in the package of what they measure, as tests are: nothing there is
 * made public for their sake.
 */
@NullMarked
package io.orrery.router.policy;

import org.jspecify.annotations.NullMarked;
