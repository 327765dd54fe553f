package io.orrery.tuner.surrogate;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Lbfgs;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.surrogate.Acquisition.Worth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place that is worth most. Draws many candidates, some anywhere and some around the best
 * places so far; walks from the most promising ones uphill along the slope, in the numbers; then
 * steps to neighbours, in whole numbers and choices, as long as that helps.
 */
final class Maximiser {
  /** The effort of a search: how much is tried. */
  record Effort(int anywhere, int around, int climbs, int evaluations) {}

  /** A place and what it is worth. */
  record Candidate(double[] place, double worth) {}

  private static final double[] REACHES = {0.2, 0.05, 0.01};
  private static final double TOUCHED = 0.3;
  private static final int ROUNDS = 3;

  private final UnitCube cube;
  private final GaussianProcess process;
  private final Acquisition acquisition;
  private final Factor factor;
  private final Region region;
  private final Predicate<double[]> free;

  /**
   * @param factor what the worth of each place is multiplied with
   * @param region where it looks
   * @param free whether a place may be suggested
   */
  Maximiser(
      UnitCube cube,
      GaussianProcess process,
      Acquisition acquisition,
      Factor factor,
      Region region,
      Predicate<double[]> free) {
    this.cube = cube;
    this.process = process;
    this.acquisition = acquisition;
    this.factor = factor;
    this.region = region;
    this.free = free;
  }

  /**
   * The best place found, null when none of all was free.
   *
   * @param centres the best places so far
   */
  @Nullable Candidate best(List<double[]> centres, Effort effort, Rng rng) {
    List<Candidate> candidates = new ArrayList<>(valued(drawn(centres, effort, rng)));
    candidates.sort(Comparator.comparingDouble(Candidate::worth).reversed());
    List<Candidate> found = new ArrayList<>();
    for (int i = 0; i < Math.min(effort.climbs(), candidates.size()); i++) {
      found.add(settle(climb(candidates.get(i), effort.evaluations())));
    }
    found.sort(Comparator.comparingDouble(Candidate::worth).reversed());
    found.addAll(candidates);
    for (Candidate candidate : found) {
      if (free.test(candidate.place())) {
        return candidate;
      }
    }
    return null;
  }

  private List<double[]> drawn(List<double[]> centres, Effort effort, Rng rng) {
    List<double[]> drawn = new ArrayList<>();
    for (int i = 0; i < effort.anywhere(); i++) {
      drawn.add(cube.sample(rng));
    }
    for (int i = 0; i < effort.around() && !centres.isEmpty(); i++) {
      double[] centre = centres.get(i % centres.size());
      drawn.add(moved(centre, REACHES[rng.nextInt(REACHES.length)], rng));
    }
    drawn.forEach(region::pull);
    return drawn.stream().map(cube::snap).filter(region::holds).toList();
  }

  private List<Candidate> valued(List<double[]> places) {
    List<GaussianProcess.Belief> beliefs = process.at(places);
    return IntStream.range(0, places.size())
        .mapToObj(i -> new Candidate(places.get(i), worth(places.get(i), beliefs.get(i))))
        .toList();
  }

  private Candidate candidate(double[] place) {
    double[] snapped = cube.snap(place);
    return new Candidate(snapped, worth(snapped, process.at(snapped)));
  }

  private double worth(double[] place, GaussianProcess.Belief belief) {
    return acquisition.of(belief.mean(), belief.deviation()).value() + factor.at(place);
  }

  /** A place nearby: some of its coordinates moved, at least one. */
  private double[] moved(double[] centre, double reach, Rng rng) {
    double[] place = centre.clone();
    int certain = rng.nextInt(place.length);
    for (int axis = 0; axis < place.length; axis++) {
      if (axis != certain && rng.nextDouble() > TOUCHED) {
        continue;
      }
      if (cube.isChoice(axis)) {
        place[axis] = rng.nextInt(cube.options(axis));
      } else {
        double step = Math.max(reach, cube.step(axis, place[axis]));
        place[axis] = Math.clamp(place[axis] + step * rng.nextGaussian(), 0, 1);
      }
    }
    return place;
  }

  private Candidate climb(Candidate from, int evaluations) {
    int d = cube.size();
    double[] point = cube.point(from.place());
    double[] low = from.place().clone();
    double[] high = from.place().clone();
    for (int axis = 0; axis < d; axis++) {
      if (!cube.isChoice(axis) && !Double.isNaN(point[axis])) {
        low[axis] = 0;
        high[axis] = 1;
      }
    }
    double[] byMean = new double[d];
    double[] byDeviation = new double[d];
    double[] byFactor = new double[d];
    Lbfgs.Smooth loss =
        (place, gradient) -> {
          if (!region.holds(place)) {
            return Double.NaN;
          }
          GaussianProcess.Belief belief = process.at(place, byMean, byDeviation);
          Worth worth = acquisition.of(belief.mean(), belief.deviation());
          Arrays.fill(byFactor, 0);
          double more = factor.at(place, byFactor);
          Arrays.setAll(
              gradient,
              axis ->
                  -worth.byMean() * byMean[axis]
                      - worth.byDeviation() * byDeviation[axis]
                      - byFactor[axis]);
          return -(worth.value() + more);
        };
    Lbfgs.Least least = new Lbfgs(loss, low, high, 1e-5).minimise(from.place(), 0.05, evaluations);
    Candidate reached = candidate(least.x());
    return reached.worth() > from.worth() && region.holds(reached.place()) ? reached : from;
  }

  /** Steps to better neighbours along axes that have them. */
  private Candidate settle(Candidate from) {
    Candidate best = from;
    for (int round = 0; round < ROUNDS; round++) {
      double before = best.worth();
      double[] point = cube.point(best.place());
      for (int axis = 0; axis < cube.size(); axis++) {
        if (!Double.isNaN(point[axis])) {
          best = alongAxis(best, axis);
        }
      }
      if (best.worth() <= before) {
        break;
      }
    }
    return best;
  }

  private Candidate alongAxis(Candidate from, int axis) {
    Candidate best = from;
    double here = from.place()[axis];
    if (cube.isChoice(axis)) {
      for (int option = 0; option < cube.options(axis); option++) {
        best = better(best, from, axis, option);
      }
      return best;
    }
    double step = cube.step(axis, here);
    if (step > 0) {
      best = better(best, from, axis, Math.min(1, here + step));
      best = better(best, from, axis, Math.max(0, here - step));
    }
    return best;
  }

  private Candidate better(Candidate best, Candidate from, int axis, double value) {
    if (from.place()[axis] == value) {
      return best;
    }
    double[] place = from.place().clone();
    place[axis] = value;
    if (!region.holds(place)) {
      return best;
    }
    Candidate other = candidate(place);
    return other.worth() > best.worth() ? other : best;
  }
}
