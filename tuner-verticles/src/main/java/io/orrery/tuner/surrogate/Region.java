package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A part of the unit cube in which to look. */
sealed interface Region {
  boolean holds(double[] place);

  /** Brings a place nearer to the region, if that is easily done. */
  default void pull(double[] place) {}

  /** The whole space. */
  record Everywhere() implements Region {
    @Override
    public boolean holds(double[] place) {
      return true;
    }
  }

  /** A region in which a choice has one option. */
  record Branch(int axis, int option) implements Region {
    @Override
    public boolean holds(double[] place) {
      return place[axis] == option;
    }

    @Override
    public void pull(double[] place) {
      place[axis] = option;
    }
  }

  /**
   * A region of what lies in another valley than a place, as far as the model knows: on the
   * straight way from one to the other there is a hump (the hill-valley test of Ursem:
   * "Multinational evolutionary algorithms", 1999). A distance would not do: the best place at any
   * distance from the bottom of a valley lies on its slope.
   */
  record Valley(GaussianProcess process, UnitCube cube, double[] from, double bottom)
      implements Region {
    private static final double[] WAY = {0.2, 0.4, 0.6, 0.8};
    private static final double HUMP = 0.02;

    @Override
    public boolean holds(double[] place) {
      double top = Math.max(bottom, process.mean(place)) + HUMP;
      for (double share : WAY) {
        if (process.mean(between(place, share)) > top) {
          return true;
        }
      }
      return false;
    }

    private double[] between(double[] place, double share) {
      double[] between = from.clone();
      for (int axis = 0; axis < between.length; axis++) {
        if (!cube.isChoice(axis)) {
          between[axis] += share * (place[axis] - from[axis]);
        } else if (share > 0.5) {
          between[axis] = place[axis];
        }
      }
      return between;
    }
  }

  /** How often a region without the best place is another option, where there are choices. */
  double OPTION = 0.7;

  /**
   * A region, drawn by chance, to which the best place does not belong. Of two options that may be
   * looked at, the one is taken under which better was seen.
   *
   * @param byMean the places seen, the best first
   */
  static Region without(List<double[]> byMean, UnitCube cube, GaussianProcess process, Rng rng) {
    double[] best = byMean.getFirst();
    List<Branch> others =
        IntStream.range(0, cube.size())
            .filter(axis -> cube.isChoice(axis) && best[axis] != UnitCube.ABSENT)
            .boxed()
            .flatMap(axis ->
                IntStream.range(0, cube.options(axis))
                    .filter(option -> option != best[axis])
                    .mapToObj(option -> new Branch(axis, option)))
            .toList();
    if (!others.isEmpty() && rng.nextDouble() < OPTION) {
      return Stream.generate(() -> others.get(rng.nextInt(others.size())))
          .limit(2)
          .min(Comparator.comparingInt(branch -> first(branch, byMean)))
          .orElseThrow();
    }
    return otherValley(best, cube, process);
  }

  /** What lies in another valley than a place. */
  static Region otherValley(double[] place, UnitCube cube, GaussianProcess process) {
    return new Valley(process, cube, place, process.mean(place));
  }

  /** The place of a region's best among all; before all when nothing was seen of it. */
  private static int first(Region region, List<double[]> byMean) {
    int first = 0;
    while (first < byMean.size() && !region.holds(byMean.get(first))) {
      first++;
    }
    return first == byMean.size() ? -1 : first;
  }
}
