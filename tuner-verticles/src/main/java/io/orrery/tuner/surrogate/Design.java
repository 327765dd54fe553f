package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A design of the places to look at before anything is known: the middle of all numbers, and then a
 * Latin hypercube (McKay, Beckman, Conover, 1979). Each axis is cut into as many slices as there
 * are places, and each slice is used once; options of a choice take turns. Of several such designs,
 * the one whose places keep furthest apart is used.
 *
 * <p>The first of its places gives way to the middle. A user who writes a search space puts its
 * bounds about the values that are expected, so that the middle is the best single guess; and in
 * many dimensions no draw comes near it. Where it is a bad guess it costs one trial.
 */
public final class Design {
  private static final int DRAWS = 20;
  private static final int CANDIDATES = 64;

  private final UnitCube cube;
  private final double[][] places;

  public Design(UnitCube cube, int size, Rng rng) {
    this.cube = cube;
    double[][] best = draw(size, rng);
    double furthest = apart(best);
    for (int i = 1; i < DRAWS; i++) {
      double[][] other = draw(size, rng);
      double apart = apart(other);
      if (apart > furthest) {
        furthest = apart;
        best = other;
      }
    }
    places = best;
    if (size > 0) {
      toMiddle(places[0]);
    }
  }

  private void toMiddle(double[] place) {
    for (int axis = 0; axis < cube.size(); axis++) {
      if (!cube.isChoice(axis)) {
        place[axis] = 0.5;
      }
    }
  }

  /** How many places there are. */
  public int size() {
    return places.length;
  }

  /** One of the places, by index. */
  public double[] place(int index) {
    return places[index].clone();
  }

  private double[][] draw(int size, Rng rng) {
    double[][] drawn = new double[size][cube.size()];
    for (int axis = 0; axis < cube.size(); axis++) {
      int[] slices = shuffled(size, rng);
      int offset = cube.isChoice(axis) ? rng.nextInt(cube.options(axis)) : 0;
      for (int i = 0; i < size; i++) {
        drawn[i][axis] =
            cube.isChoice(axis)
                ? (slices[i] + offset) % cube.options(axis)
                : (slices[i] + rng.nextOpen()) / size;
      }
    }
    return drawn;
  }

  private static int[] shuffled(int size, Rng rng) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = rng.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  /**
   * A place that keeps apart from others: of many that are drawn the one whose nearest neighbour is
   * furthest away (Mitchell: "Spectrally optimal sampling for distribution ray tracing", SIGGRAPH
   * 1991, calls it the best candidate).
   *
   * @param others places, one or more
   * @param free whether a place may be suggested
   * @return null when none of those drawn was free
   */
  public static double @Nullable [] apart(
      UnitCube cube, List<double[]> others, Predicate<double[]> free, Rng rng) {
    double[] best = null;
    double furthest = -1;
    for (int i = 0; i < CANDIDATES; i++) {
      double[] place = cube.snap(cube.sample(rng));
      double nearest =
          others.stream().mapToDouble(other -> square(cube, place, other)).min().orElse(1);
      if (nearest > furthest && free.test(place)) {
        best = place;
        furthest = nearest;
      }
    }
    return best;
  }

  /** Whether a place keeps a distance from all others. */
  static boolean keeps(
      double distance, UnitCube cube, double[] place, Collection<double[]> others) {
    return distance == 0
        || others.stream().allMatch(other -> square(cube, place, other) >= distance * distance);
  }

  /** The square of the distance of two places; different options count as half an axis. */
  static double square(UnitCube cube, double[] one, double[] other) {
    double sum = 0;
    for (int axis = 0; axis < one.length; axis++) {
      double difference = one[axis] - other[axis];
      sum += cube.isChoice(axis) ? (difference == 0 ? 0 : 0.25) : difference * difference;
    }
    return sum;
  }

  private double apart(double[][] drawn) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < drawn.length; i++) {
      for (int j = 0; j < i; j++) {
        least = Math.min(least, square(cube, drawn[i], drawn[j]));
      }
    }
    return least;
  }
}
