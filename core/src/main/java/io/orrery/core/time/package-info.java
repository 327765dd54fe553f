/**
 * Time as something that is handed in, so that a simulation can skip it. The domain takes its clock
 * and its timers from here and nowhere else.
 */
@NullMarked
package io.orrery.core.time;

import org.jspecify.annotations.NullMarked;
