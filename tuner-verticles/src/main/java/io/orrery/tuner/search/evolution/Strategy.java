package io.orrery.tuner.search.evolution;

import io.orrery.core.space.Dimension.Choice;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Rows;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.encode.Vicinity;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import io.orrery.tuner.search.Lineage;
import io.orrery.tuner.surrogate.Design;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Creates the children of the best trials. Parents are the better of two that are drawn; half of
 * the children have two parents, and take each parameter from either. Then every number moves
 * within a window whose width is a multiple of the population's spread on that parameter, so that
 * steps adapt to the scale on which the good trials differ, and a choice is made anew now and then.
 * Under nested choices each branch has a population of its own, and which of them gets the next
 * child is drawn ({@link Lineage}).
 */
final class Strategy {
  private static final int MOST_DESIGNED = 8;
  private static final double TWO_PARENTS = 0.5;
  private static final double SPREADS = 2;
  private static final double ANEW = 0.3;
  private static final double UNKNOWN_SPREAD = 0.3;

  /** So many of the best trials are asked for what parents lack. */
  private static final int REMEMBERED = 200;

  private final int size;
  private final Axes axes;
  private final Rows rows;
  private final UnitCube cube;
  private final Vicinity vicinity;
  private final Design design;

  Strategy(Axes axes, int size, long seed) {
    this.size = size;
    this.axes = axes;
    rows = new Rows(axes);
    cube = new UnitCube(axes);
    vicinity = new Vicinity(axes);
    design = new Design(cube, Math.min(size, MOST_DESIGNED), Rng.keyed(seed, -1));
  }

  Stream<double[]> next(History known, long number, Rng rng) {
    Stream<double[]> anywhere = Stream.generate(() -> cube.point(vicinity.anywhere(rng)));
    if (number < design.size()) {
      return Stream.concat(Stream.of(cube.point(design.place((int) number))), anywhere);
    }
    List<Trial> ended = Lineage.byLoss(known);
    if (ended.size() < 2) {
      return anywhere;
    }
    List<double[]> best =
        ended.stream()
            .limit(Math.max(size, REMEMBERED))
            .map(trial -> rows.of(trial.point()))
            .toList();
    return Stream.generate(() -> cube.point(born(ended, best, rng)));
  }

  private double[] born(List<Trial> ended, List<double[]> best, Rng rng) {
    Lineage lineage = Lineage.drawn(axes, ended, rng);
    double[][] population =
        lineage.trials().stream()
            .limit(size)
            .map(trial -> rows.of(trial.point()))
            .toArray(double[][]::new);
    double[] reach = reach(population, ended);
    double[] child = lineage.bring(child(population, rng));
    return vicinity.draw(Vicinity.completed(child, best), axis -> reach[axis.index()], rng);
  }

  private double[] child(double[][] population, Rng rng) {
    double[] mother = parent(population, rng);
    if (rng.nextDouble() >= TWO_PARENTS) {
      return mother;
    }
    double[] father = parent(population, rng);
    return axes.point(axis -> {
      double one = mother[axis.index()];
      double other = father[axis.index()];
      return Double.isNaN(other) || (rng.nextBoolean() && !Double.isNaN(one)) ? one : other;
    });
  }

  private static double[] parent(double[][] population, Rng rng) {
    return population[Math.min(rng.nextInt(population.length), rng.nextInt(population.length))];
  }

  private double[] reach(double[][] population, List<Trial> ended) {
    double[] reach = new double[axes.all().size()];
    for (Axis axis : axes.all()) {
      reach[axis.index()] =
          axis.dimension() instanceof Choice
              ? (Lineage.nested(axis) ? 0 : ANEW)
              : gap(axis, ended) + SPREADS * spread(population, axis.index());
    }
    return reach;
  }

  /** How far apart so many trials are as have an axis, were they spread evenly over it. */
  private static double gap(Axis axis, List<Trial> ended) {
    long having =
        ended.stream().filter(trial -> !Double.isNaN(trial.point()[axis.index()])).count();
    return 1.0 / (1 + having);
  }

  /** The standard deviation of those that have the parameter. */
  private static double spread(double[][] population, int column) {
    double[] places =
        Arrays.stream(population)
            .mapToDouble(row -> row[column])
            .filter(place -> !Double.isNaN(place))
            .toArray();
    if (places.length < 2) {
      return UNKNOWN_SPREAD;
    }
    double mean = Arrays.stream(places).average().orElseThrow();
    return Math.sqrt(
        Arrays.stream(places)
            .map(place -> (place - mean) * (place - mean))
            .average()
            .orElseThrow());
  }
}
