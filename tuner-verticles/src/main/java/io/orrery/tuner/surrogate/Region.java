package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of the unit cube: all of it, one option of a choice, or a slice of an axis of numbers.
 *
 * @param low the least number of each axis
 * @param high the greatest number of each axis
 * @param choice the axis of which only one option belongs to it, -1 when there is none
 * @param option that option
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Region(double[] low, double[] high, int choice, int option) {
  /** How often a region elsewhere is that of another option, where there are choices. */
  private static final double OPTION = 0.5;

  /** How far from the best a slice is, and how wide to either side. */
  private static final double DISTANCE = 0.2;

  private static final double WIDTH = 0.15;
  private static final int DRAWS = 100;

  static Region everywhere(UnitCube cube) {
    double[] high = new double[cube.size()];
    Arrays.fill(high, 1);
    return new Region(new double[cube.size()], high, -1, -1);
  }

  /** A region, drawn by chance, to which a place does not belong. */
  static Region without(double[] place, UnitCube cube, Rng rng) {
    double[] point = cube.point(place);
    List<Integer> choices = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int axis = 0; axis < cube.size(); axis++) {
      if (!Double.isNaN(point[axis]) && !cube.isChoice(axis)) {
        numbers.add(axis);
      } else if (!Double.isNaN(point[axis]) && cube.options(axis) > 1) {
        choices.add(axis);
      }
    }
    Region all = everywhere(cube);
    if (!choices.isEmpty() && (numbers.isEmpty() || rng.nextDouble() < OPTION)) {
      int axis = choices.get(rng.nextInt(choices.size()));
      int option = rng.nextInt(cube.options(axis) - 1);
      return new Region(all.low, all.high, axis, option < place[axis] ? option : option + 1);
    }
    if (!numbers.isEmpty()) {
      int axis = numbers.get(rng.nextInt(numbers.size()));
      double middle = rng.nextDouble();
      for (int i = 0; i < DRAWS && Math.abs(middle - place[axis]) < DISTANCE; i++) {
        middle = rng.nextDouble();
      }
      all.low[axis] = Math.max(0, middle - WIDTH);
      all.high[axis] = Math.min(1, middle + WIDTH);
    }
    return all;
  }

  boolean holds(double[] place) {
    for (int axis = 0; axis < place.length; axis++) {
      if (axis == choice ? place[axis] != option : isBound(axis) && outside(place, axis)) {
        return false;
      }
    }
    return true;
  }

  /** Brings a place into the region: what is outside is drawn anew. */
  void pull(double[] place, Rng rng) {
    for (int axis = 0; axis < place.length; axis++) {
      if (axis == choice) {
        place[axis] = option;
      } else if (isBound(axis) && outside(place, axis)) {
        place[axis] = low[axis] + (high[axis] - low[axis]) * rng.nextDouble();
      }
    }
  }

  private boolean isBound(int axis) {
    return low[axis] > 0 || high[axis] < 1;
  }

  private boolean outside(double[] place, int axis) {
    return place[axis] < low[axis] || place[axis] > high[axis];
  }
}
