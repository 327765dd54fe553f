/**
 * A population that trains and learns from itself: {@link io.orrery.tuner.search.pbt.Pbt}. {@code
 * Step} is one round of it, {@code Explore} how parameters are changed between two.
 */
@NullMarked
package io.orrery.tuner.search.pbt;

import org.jspecify.annotations.NullMarked;
