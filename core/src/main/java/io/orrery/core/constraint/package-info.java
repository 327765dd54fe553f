/**
 * What parameters must have in common: {@link io.orrery.core.constraint.Constraint} is one
 * expression over their names, read from text such as {@code batch * hidden <= 65536}. Knows
 * nothing of search spaces.
 */
@NullMarked
package io.orrery.core.constraint;

import org.jspecify.annotations.NullMarked;
