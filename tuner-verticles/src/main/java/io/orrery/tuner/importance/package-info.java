/**
 * The importance of parameters: {@link io.orrery.tuner.importance.Importance} asks a forest, and
 * {@link io.orrery.tuner.importance.Evidence} keeps what it grows from within bounds. Knows nothing
 * of where results come from.
 */
@NullMarked
package io.orrery.tuner.importance;

import org.jspecify.annotations.NullMarked;
