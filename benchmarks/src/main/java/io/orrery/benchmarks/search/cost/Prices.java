package io.orrery.benchmarks.search.cost;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The costs of the trials of a problem. Where they differ, they rise along a direction through the
 * space, drawn by chance, from a tenth to ten times what is usual, evenly in logarithms.
 */
enum Prices {
  /** The half of the space in which the optimum lies is the cheap one. */
  CHEAP_OPTIMUM {
    @Override
    Price of(SearchProblem problem, Parameters optimum, Rng rng) {
      Slope any = Slope.drawn(problem, rng);
      return any.share(optimum) <= 0.5 ? any : any.turned(problem);
    }
  },

  /** The half of the space in which the optimum lies is the dear one. */
  DEAR_OPTIMUM {
    @Override
    Price of(SearchProblem problem, Parameters optimum, Rng rng) {
      Slope any = Slope.drawn(problem, rng);
      return any.share(optimum) >= 0.5 ? any : any.turned(problem);
    }
  },

  /** All trials cost the same, but for chance. */
  SAME {
    @Override
    Price of(SearchProblem problem, Parameters optimum, Rng rng) {
      return parameters -> 1;
    }
  };

  /** The cost of a trial without chance. */
  @FunctionalInterface
  interface Price {
    /** The cost by parameters, above 0. */
    double of(Parameters parameters);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * The costs of a problem.
   *
   * @param optimum about where the problem is least
   */
  abstract Price of(SearchProblem problem, Parameters optimum, Rng rng);

  /**
   * Costs that rise along a direction through the unit cube.
   *
   * @param along the places of random configurations on it, ascending
   */
  private record Slope(Axes axes, UnitCube cube, double[] direction, double[] along)
      implements Price {
    private static final int SAMPLE = 500;
    private static final double RANGE = 100;

    static Slope drawn(SearchProblem problem, Rng rng) {
      Axes axes = Axes.of(problem.space());
      UnitCube cube = new UnitCube(axes);
      double[] direction = new double[cube.size()];
      Arrays.setAll(
          direction,
          axis ->
              Gaussian.quantile(rng.nextOpen())
                  / (cube.isChoice(axis) ? Math.max(1, cube.options(axis) - 1) : 1));
      return over(problem, axes, cube, direction);
    }

    private static Slope over(SearchProblem problem, Axes axes, UnitCube cube, double[] direction) {
      Rng rng = Rng.keyed(problem.name().hashCode(), 4);
      double[] along =
          IntStream.range(0, SAMPLE)
              .mapToDouble(i -> along(cube.snap(cube.sample(rng)), direction))
              .sorted()
              .toArray();
      return new Slope(axes, cube, direction, along);
    }

    Slope turned(SearchProblem problem) {
      double[] other = Arrays.stream(direction).map(part -> -part).toArray();
      return over(problem, axes, cube, other);
    }

    private static double along(double[] place, double[] direction) {
      return IntStream.range(0, place.length)
          .mapToDouble(axis -> direction[axis] * Math.max(0, place[axis]))
          .sum();
    }

    /** The share of the space that is cheaper. */
    double share(Parameters parameters) {
      double[] point = axes.encode(parameters);
      if (point == null) {
        throw new IllegalArgumentException(parameters.toJson() + " does not lie in the space");
      }
      double here = along(cube.place(point), direction);
      return Arrays.stream(along).filter(other -> other < here).count() / (double) along.length;
    }

    @Override
    public double of(Parameters parameters) {
      return Math.pow(RANGE, share(parameters) - 0.5);
    }
  }
}
