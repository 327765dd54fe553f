package io.orrery.tuner.search.nsga;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.Arrays;

/**
 * Creates children from parents. Numbers of two parents are crossed as if they were strings of bits
 * (SBX; Deb, Agrawal: "Simulated binary crossover for continuous search space", 1995) and then
 * moved now and then by polynomial mutation (Deb, Goyal, 1996), both within bounds. An option is
 * either parent's, and now and then another one. A parameter that exists only under one parent's
 * branch is that parent's; of a branch that neither took, any member's that did.
 *
 * <p>One parameter of a child is mutated on average, and at least one when it would else repeat a
 * parent. Whole numbers and multiples of q move by one at least, or small steps would be rounded
 * away.
 */
final class Offspring {
  private static final double CROSSED = 0.9;
  private static final double CROSSED_AXIS = 0.5;

  /**
   * The "distribution indices" of the two papers: the larger, the nearer to the parents. With the
   * usual 20 steps are so small that they pay after thousands of trials only.
   */
  private static final double NEARNESS_OF_CROSSING = 5;

  private static final double NEARNESS_OF_MUTATION = 5;

  private final Axes axes;
  private final UnitCube cube;

  Offspring(Axes axes, UnitCube cube) {
    this.axes = axes;
    this.cube = cube;
  }

  /** The row of a child of two members. */
  double[] born(Population population, Rng rng) {
    double[] mother = population.parent(rng).row();
    double[] father = rng.nextDouble() < CROSSED ? population.parent(rng).row() : mother;
    double[] crossed = axes.point(axis -> crossed(axis, mother, father, population, rng));
    double[] child = mutated(crossed, 1.0 / present(crossed), population, rng);
    boolean repeats = Arrays.equals(child, mother) || Arrays.equals(child, father);
    return repeats ? mutated(child, 1, population, rng) : child;
  }

  private static int present(double[] row) {
    return (int) Math.max(1, Arrays.stream(row).filter(place -> !Double.isNaN(place)).count());
  }

  private double crossed(
      Axis axis, double[] mother, double[] father, Population population, Rng rng) {
    double one = mother[axis.index()];
    double other = father[axis.index()];
    if (Double.isNaN(one) && Double.isNaN(other)) {
      return inherited(axis, population, rng);
    }
    if (Double.isNaN(one) || Double.isNaN(other)) {
      return Double.isNaN(one) ? other : one;
    }
    if (axis.dimension() instanceof Choice) {
      return rng.nextBoolean() ? one : other;
    }
    return one == other || rng.nextDouble() >= CROSSED_AXIS
        ? (rng.nextBoolean() ? one : other)
        : between(Math.min(one, other), Math.max(one, other), rng);
  }

  private static double inherited(Axis axis, Population population, Rng rng) {
    double place = population.anyPlace(axis.index(), rng);
    if (!Double.isNaN(place)) {
      return place;
    }
    return axis.dimension() instanceof Choice ? rng.nextLong(axis.categories()) : rng.nextOpen();
  }

  /** One of the two children, on a scale from 0 to 1. */
  private static double between(double low, double high, Rng rng) {
    boolean lower = rng.nextBoolean();
    double bound = lower ? low : 1 - high;
    double beta = 1 + 2 * bound / (high - low);
    double alpha = 2 - Math.pow(beta, -(NEARNESS_OF_CROSSING + 1));
    double u = rng.nextOpen() * alpha;
    double spread = Math.pow(u <= 1 ? u : 1 / (2 - u), 1 / (NEARNESS_OF_CROSSING + 1));
    double middle = (low + high) / 2;
    double half = spread * (high - low) / 2;
    return Math.clamp(lower ? middle - half : middle + half, 0, 1);
  }

  private double[] mutated(double[] row, double probability, Population population, Rng rng) {
    return axes.point(axis -> {
      double at = row[axis.index()];
      if (Double.isNaN(at)) {
        return inherited(axis, population, rng);
      }
      if (rng.nextDouble() >= probability) {
        return at;
      }
      return axis.dimension() instanceof Choice
          ? another(at, axis.categories(), rng)
          : moved(at, cube.step(axis.index(), at), rng);
    });
  }

  private static double another(double option, long options, Rng rng) {
    return options < 2 ? option : (option + 1 + rng.nextLong(options - 1)) % options;
  }

  private static double moved(double at, double step, Rng rng) {
    double u = rng.nextOpen();
    double power = NEARNESS_OF_MUTATION + 1;
    double move =
        u <= 0.5
            ? Math.pow(2 * u + (1 - 2 * u) * Math.pow(1 - at, power), 1 / power) - 1
            : 1 - Math.pow(2 * (1 - u) + (2 * u - 1) * Math.pow(at, power), 1 / power);
    double least = Math.abs(move) < step ? Math.copySign(step, move) : move;
    double to = at + least;
    return Math.clamp(to < 0 || to > 1 ? at - least : to, 0, 1);
  }
}
