package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.math.Rng;
import java.util.function.ToDoubleFunction;

/**
 * Draws near a row of {@link Rows}: on a scale of numbers evenly from a window about the place, and
 * of a choice now and then any option. A window that would reach beyond an end is moved, not cut,
 * so that it keeps its width. What exists only under a new option is drawn afresh.
 */
public final class Vicinity {
  private final Axes axes;

  public Vicinity(Axes axes) {
    this.axes = axes;
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
