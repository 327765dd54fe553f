/**
 * Search spaces as axes with coordinates, which is how algorithms see them: {@link
 * io.orrery.tuner.encode.Axes} turns parameters into a point and back, draws points, and says which
 * parameters lie in a space; {@link io.orrery.tuner.encode.Ranking} counts the points of a space
 * that has finitely many, and {@link io.orrery.tuner.encode.Distinct} keeps suggestions from
 * repeating. {@link io.orrery.tuner.encode.UnitCube} has all axes on one scale, {@link
 * io.orrery.tuner.encode.Rows} the same for trees, and {@link io.orrery.tuner.encode.Vicinity}
 * draws near a place of it. Nothing here knows of trials or results.
 */
@NullMarked
package io.orrery.tuner.encode;

import org.jspecify.annotations.NullMarked;
