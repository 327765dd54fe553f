/**
 * Constraints between parameters: {@link io.orrery.core.constraint.Constraint} is one expression
 * over their names, read from text such as {@code batch * hidden <= 65536}; {@link
 * io.orrery.core.constraint.Formula} is one whose value is a number. Knows nothing of search
 * spaces.
 */
@NullMarked
package io.orrery.core.constraint;

import org.jspecify.annotations.NullMarked;
