/**
 * The search space: ten NNI dimension types and nested choice of any depth. {@link
 * io.orrery.core.space.SpaceReader} reads NNI's JSON and refuses with a pointer; {@link
 * io.orrery.core.space.Dimension} knows its exact rounding; {@link
 * io.orrery.core.space.ParameterShape} judges parameters that a person chose.
 */
@NullMarked
package io.orrery.core.space;

import org.jspecify.annotations.NullMarked;
