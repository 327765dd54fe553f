package io.orrery.tuner.encode;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.tuner.math.Rng;
import java.util.List;

/**
 * A space as surrogate models see it: each axis on a scale from 0 to 1 on which the space's own
 * distribution is even, integers in their order, and options of a choice by index.
 *
 * <p>A <em>place</em> has one number for each axis. An axis that does not exist in a point is given
 * the middle of its scale, or for a choice the index {@link #ABSENT}, an option of its own: what
 * does not exist then makes no difference between two points that both lack it, and the choice
 * above it tells the others apart. Immutable.
 */
public final class UnitCube {
  /** The option of a choice that does not exist. */
  public static final double ABSENT = -1;

  /** The ends of the normal distribution's scale, some four and a half sigmas out. */
  private static final double MARGIN = 3e-6;

  private final Axes axes;
  private final List<Axis> all;

  public UnitCube(Axes axes) {
    this.axes = axes;
    this.all = axes.all();
  }

  /** How many axes there are. */
  public int size() {
    return all.size();
  }

  /** Whether an axis is a choice, whose options have no order. */
  public boolean isChoice(int axis) {
    return all.get(axis).dimension() instanceof Choice;
  }

  /** How many options a choice has. */
  public int options(int axis) {
    return (int) all.get(axis).categories();
  }

  /**
   * The distance between two neighbouring values of an axis of numbers about a place on it; 0 when
   * there is none, because it is continuous.
   */
  public double step(int axis, double at) {
    return switch (all.get(axis).dimension()) {
      case Choice choice -> 1;
      case RandInt randint -> 1.0 / randint.size();
      case Numeric numeric -> {
        Multiples multiples = Multiples.of(numeric);
        if (multiples == null || multiples.count() < 2) {
          yield 0;
        }
        Prior prior = Prior.of(numeric);
        long rank = multiples.nearestRank(prior.quantile(inner(at)));
        long other = rank + 1 < multiples.count() ? rank + 1 : rank - 1;
        yield Math.abs(
            prior.share(multiples.coordinate(other)) - prior.share(multiples.coordinate(rank)));
      }
    };
  }

  /** The point at a place; axes that do not exist there are not looked at. */
  public double[] point(double[] place) {
    return axes.point(axis -> coordinate(axis, place[axis.index()]));
  }

  /** The place of a point: that of the values that a trial sees, rounded as they are. */
  public double[] place(double[] point) {
    double[] place = new double[all.size()];
    for (Axis axis : all) {
      place[axis.index()] = scaled(axis, point[axis.index()]);
    }
    return place;
  }

  /** The place that counts for a place: rounded, and the same for what does not exist. */
  public double[] snap(double[] place) {
    return place(point(place));
  }

  /** A place drawn evenly. */
  public double[] sample(Rng rng) {
    double[] place = new double[all.size()];
    for (Axis axis : all) {
      place[axis.index()] =
          axis.dimension() instanceof Choice ? rng.nextLong(axis.categories()) : rng.nextOpen();
    }
    return place;
  }

  private static double coordinate(Axis axis, double at) {
    return switch (axis.dimension()) {
      case Choice choice -> Math.max(0, at);
      case RandInt randint -> Math.clamp((long) (at * randint.size()), 0, randint.size() - 1);
      case Numeric numeric -> Prior.of(numeric).quantile(inner(numeric, at));
    };
  }

  private static double scaled(Axis axis, double coordinate) {
    if (axis.dimension() instanceof Choice) {
      return Double.isNaN(coordinate) ? ABSENT : coordinate;
    }
    if (Double.isNaN(coordinate)) {
      return 0.5;
    }
    return switch (axis.dimension()) {
      case Choice choice -> coordinate;
      case RandInt randint -> (coordinate + 0.5) / randint.size();
      case Numeric numeric ->
          Prior.of(numeric).share(Raw.of(numeric, numeric.value(coordinate).doubleValue()));
    };
  }

  private static double inner(Numeric numeric, double at) {
    return Prior.of(numeric) instanceof Prior.Bell ? inner(at) : Math.clamp(at, 0, 1);
  }

  private static double inner(double at) {
    return Math.clamp(at, MARGIN, 1 - MARGIN);
  }
}
