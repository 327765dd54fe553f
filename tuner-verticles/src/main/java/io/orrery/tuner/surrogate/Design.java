package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;

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

  private double apart(double[][] drawn) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < drawn.length; i++) {
      for (int j = 0; j < i; j++) {
        double sum = 0;
        for (int axis = 0; axis < cube.size(); axis++) {
          double difference = drawn[i][axis] - drawn[j][axis];
          sum += cube.isChoice(axis) ? (difference == 0 ? 0 : 0.25) : difference * difference;
        }
        least = Math.min(least, sum);
      }
    }
    return least;
  }
}
