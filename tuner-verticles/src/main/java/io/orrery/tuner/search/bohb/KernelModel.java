package io.orrery.tuner.search.bohb;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The model of the BOHB paper: of the losses with one budget, the best are told from the others, a
 * {@link KernelDensity} is laid through either, and of some places near the good ones the one is
 * tried where their density exceeds the other most.
 */
final class KernelModel {
  /** Below it a density is as good as nothing. */
  private static final double FLOOR = 1e-32;

  private final UnitCube cube;
  private final BohbOptions options;
  private final int[] categories;

  KernelModel(UnitCube cube, BohbOptions options) {
    this.cube = cube;
    this.options = options;
    this.categories =
        IntStream.range(0, cube.size())
            .map(axis -> cube.isChoice(axis) ? cube.options(axis) : 0)
            .toArray();
  }

  /** An observation with one budget. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Observation(double[] place, double loss) {}

  /** A place to try; null when there are too few observations. */
  double @Nullable [] next(List<Observation> observations, Rng rng) {
    int least = Math.max(options.minPoints().orElse(0), cube.size() + 1);
    if (cube.size() == 0 || observations.size() < least + 2) {
      return null;
    }
    List<double[]> byLoss =
        observations.stream()
            .sorted(Comparator.comparingDouble(Observation::loss))
            .map(observation -> imputed(observation.place(), rng))
            .toList();
    int count = byLoss.size();
    int good = Math.min(count - 1, Math.max(least, options.topPercent() * count / 100));
    int bad = Math.max(least, (100 - options.topPercent()) * count / 100);
    KernelDensity above = density(byLoss.subList(0, good));
    KernelDensity below = density(byLoss.subList(good, Math.min(count, good + bad)));
    double[] best = null;
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < options.samples(); i++) {
      double[] place = above.draw(rng, options.bandwidthFactor());
      double gain = Math.max(above.at(place), FLOOR) / Math.max(below.at(place), FLOOR);
      if (gain > highest) {
        highest = gain;
        best = place;
      }
    }
    return best;
  }

  private KernelDensity density(List<double[]> places) {
    return new KernelDensity(places.toArray(double[][]::new), categories, options.minBandwidth());
  }

  /** What does not exist at a place is drawn, as the paper does. */
  private double[] imputed(double[] place, Rng rng) {
    double[] whole = place.clone();
    for (int axis = 0; axis < whole.length; axis++) {
      if (categories[axis] > 0 && whole[axis] == UnitCube.ABSENT) {
        whole[axis] = rng.nextInt(categories[axis]);
      }
    }
    return whole;
  }
}
