package io.orrery.tuner.encode;

import io.orrery.tuner.math.Rng;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds a point that may be tried in place of one that may not: first by drawing one coordinate of
 * it anew, then half of them, then all. Drawn from generators that are keyed by the point, so that
 * the same one is found again whenever it is looked for.
 */
final class PointRepair {
  /** Draws for each axis in which one coordinate changes. */
  private static final int SINGLE = 16;

  private static final int HALVES = 256;

  /**
   * Draws of a whole point: after so many a space of which a ten-thousandth is allowed is found.
   */
  private static final int FEW = 2_000;

  private static final int MANY = 200_000;

  private final Axes axes;
  private final int draws;

  /**
   * @param countable whether all points can be gone through when chance finds none
   */
  PointRepair(Axes axes, boolean countable) {
    this.axes = axes;
    this.draws = countable ? FEW : MANY;
  }

  double @Nullable [] repair(double[] point, Predicate<double[]> free) {
    int single = SINGLE * axes.all().size();
    Rng chance = Rng.keyed(Arrays.hashCode(point), 0);
    for (int draw = 0; draw < single + HALVES + draws; draw++) {
      double[] candidate =
          draw < single
              ? one(point, draw % axes.all().size(), chance)
              : draw < single + HALVES ? half(point, chance) : axes.sample(chance);
      if (free.test(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private double[] one(double[] point, int changed, Rng chance) {
    return axes.point(axis -> {
      double old = point[axis.index()];
      return axis.index() == changed || Double.isNaN(old) ? Axes.sample(axis, chance) : old;
    });
  }

  private double[] half(double[] point, Rng chance) {
    return axes.point(axis -> {
      double old = point[axis.index()];
      return chance.nextBoolean() || Double.isNaN(old) ? Axes.sample(axis, chance) : old;
    });
  }
}
