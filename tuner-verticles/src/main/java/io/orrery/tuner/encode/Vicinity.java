package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.math.Rng;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Draws near a row of {@link Rows}: on a scale of numbers evenly from a window about the place, and
 * of a choice now and then any option. A window that would reach beyond an end is moved, not cut,
 * so that it keeps its width.
 *
 * <p>What exists only under a new option is drawn near the value that the row has for it all the
 * same, see {@link #completed}, or afresh when it has none.
 */
public final class Vicinity {
  private final Axes axes;

  public Vicinity(Axes axes) {
    this.axes = axes;
  }

  /**
   * A row, or a point, with what does not exist in it filled in from the first of others that has
   * it: so a search that comes to another option goes on from the best that is known of it.
   *
   * @param others best first
   */
  public static double[] completed(double[] from, List<double[]> others) {
    double[] whole = from.clone();
    for (int column = 0; column < whole.length; column++) {
      for (int i = 0; Double.isNaN(whole[column]) && i < others.size(); i++) {
        whole[column] = others.get(i)[column];
      }
    }
    return whole;
  }

  /**
   * Draws a row.
   *
   * @param from where; NaN for what does not exist there
   * @param reach for each axis the width of its window, or for a choice the probability that an
   *     option is drawn; from 0, which stays, to 1, which goes anywhere
   */
  public double[] draw(double[] from, ToDoubleFunction<Axis> reach, Rng rng) {
    return axes.point(axis -> {
      double at = from[axis.index()];
      return Double.isNaN(at) ? fresh(axis, rng) : near(axis, at, reach.applyAsDouble(axis), rng);
    });
  }

  /** A row drawn from the space's own distribution. */
  public double[] anywhere(Rng rng) {
    return axes.point(axis -> fresh(axis, rng));
  }

  private static double fresh(Axis axis, Rng rng) {
    return axis.dimension() instanceof Choice ? rng.nextLong(axis.categories()) : rng.nextOpen();
  }

  private static double near(Axis axis, double at, double reach, Rng rng) {
    if (reach <= 0) {
      return at;
    }
    if (axis.dimension() instanceof Choice) {
      return rng.nextDouble() < reach ? rng.nextLong(axis.categories()) : at;
    }
    double width = Math.min(1, reach);
    return Math.clamp(at - width / 2, 0, 1 - width) + width * rng.nextOpen();
  }
}
