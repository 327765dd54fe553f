package io.orrery.tuner.search.tpe;

import io.orrery.core.space.Dimension.Numeric;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Rng;

/**
 * The first points of a search: on each axis by itself they are spread evenly over the space's own
 * distribution, one in each of as many shares of equal probability as there are points (McKay,
 * Beckman, Conover: "A comparison of three methods for selecting values of input variables",
 * Technometrics 21, 1979). A point is a function of seed and number.
 *
 * @param points how many there are; those beyond are drawn freely
 */
record LatinHypercube(Axes axes, long seed, int points) {
  /** A label for what an axis draws, apart from the numbers of suggestions. */
  private static final long ORDER = -1;

  double[] point(long number, Rng rng) {
    return axes.point(axis -> coordinate(axis, number, rng.split(axis.index())));
  }

  private double coordinate(Axis axis, long number, Rng rng) {
    double within = rng.nextOpen();
    double share = number < points ? (order(axis)[(int) number] + within) / points : within;
    return axis.dimension() instanceof Numeric numeric && axis.categories() == 0
        ? Prior.of(numeric).quantile(share)
        : Math.min(axis.categories() - 1.0, Math.floor(share * axis.categories()));
  }

  /** Which share of an axis each point lies in. */
  private int[] order(Axis axis) {
    Rng rng = Rng.keyed(seed, ORDER).split(axis.index());
    int[] order = new int[points];
    for (int i = 0; i < points; i++) {
      int j = rng.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
