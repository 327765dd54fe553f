package io.orrery.tuner.search.anneal;

import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.search.Lineage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The trials that gave a number, best first. */
record Best(List<double[]> points) {
  private static final double COOLING = 0.1;

  static Best of(History known) {
    return of(Lineage.byLoss(known));
  }

  /** Those of some trials that are in order already. */
  static Best of(List<Trial> byLoss) {
    return new Best(byLoss.stream().map(Trial::point).toList());
  }

  boolean isEmpty() {
    return points.isEmpty();
  }

  /** One of them, by a rank that is geometrically distributed with a mean above 1. */
  double[] draw(double meanRank, Rng rng) {
    return points.get(rank(points.size(), meanRank, rng));
  }

  private static int rank(int count, double meanRank, Rng rng) {
    double rank = Math.floor(Math.log(rng.nextOpen()) / Math.log(1 - 1 / meanRank));
    return (int) Math.min(rank, count - 1);
  }

  /** The same of those that have an axis; null when none has. */
  double @Nullable [] drawWith(Axis axis, double meanRank, Rng rng) {
    List<double[]> having = having(axis);
    return having.isEmpty() ? null : having.get(rank(having.size(), meanRank, rng));
  }

  /**
   * How much of an axis is still to be searched, from 1 down: it cools with every trial that had
   * it.
   */
  double width(Axis axis) {
    long seen = points.stream().filter(point -> !Double.isNaN(point[axis.index()])).count();
    return 1 / (1 + COOLING * seen);
  }

  private List<double[]> having(Axis axis) {
    return points.stream().filter(point -> !Double.isNaN(point[axis.index()])).toList();
  }
}
