package io.orrery.benchmarks.search.crash;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/** The reasons for which trials of a problem fail. */
enum Crashes {
  /** Two fifths of the space, a half-space in which the optimum does not lie. */
  REGION {
    @Override
    Rule rule(SearchProblem problem, Parameters optimum, Rng rng) {
      HalfSpace any = HalfSpace.drawn(problem, rng, 0);
      double[] sorted = any.sample(problem);
      double least = any.along(optimum);
      boolean above = least <= sorted[(int) (0.6 * sorted.length)];
      HalfSpace chosen =
          above
              ? any.from(sorted[(int) (0.6 * sorted.length)])
              : any.turned().from(-sorted[(int) (0.4 * sorted.length)]);
      return (parameters, number) -> chosen.holds(parameters);
    }
  },

  /** A half-space that begins just behind the optimum, as memory does that runs out. */
  EDGE {
    @Override
    Rule rule(SearchProblem problem, Parameters optimum, Rng rng) {
      HalfSpace any = HalfSpace.drawn(problem, rng, 0);
      double[] sorted = any.sample(problem);
      double least = any.along(optimum);
      long above = Arrays.stream(sorted).filter(value -> value > least).count();
      HalfSpace side = above < sorted.length / 2 ? any : any.turned();
      double margin = 0.02 * (sorted[sorted.length - 1] - sorted[0]);
      HalfSpace chosen = side.from(side.along(optimum) + margin);
      return (parameters, number) -> chosen.holds(parameters);
    }
  },

  /** One trial in four, whatever its parameters. */
  CHANCE {
    @Override
    Rule rule(SearchProblem problem, Parameters optimum, Rng rng) {
      long key = rng.nextLong();
      return (parameters, number) -> Rng.keyed(key, number).nextOpen() < 0.25;
    }
  },

  /** No trial. */
  NONE {
    @Override
    Rule rule(SearchProblem problem, Parameters optimum, Rng rng) {
      return (parameters, number) -> false;
    }
  };

  /** A decision whether a trial fails. */
  @FunctionalInterface
  interface Rule {
    /**
     * Whether it does.
     *
     * @param number of the trial, from 0
     */
    boolean fails(Parameters parameters, int number);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The rule for a problem.
   *
   * @param optimum about where the problem is least
   */
  abstract Rule rule(SearchProblem problem, Parameters optimum, Rng rng);

  /** The part of the unit cube that lies at or beyond a distance along a direction. */
  private record HalfSpace(Axes axes, UnitCube cube, double[] direction, double distance) {
    private static final int SAMPLE = 500;

    static HalfSpace drawn(SearchProblem problem, Rng rng, double distance) {
      Axes axes = Axes.of(problem.space());
      UnitCube cube = new UnitCube(axes);
      double[] direction = new double[cube.size()];
      Arrays.setAll(direction, axis -> cube.isChoice(axis) ? 0 : Gaussian.quantile(rng.nextOpen()));
      return new HalfSpace(axes, cube, direction, distance);
    }

    HalfSpace from(double other) {
      return new HalfSpace(axes, cube, direction, other);
    }

    HalfSpace turned() {
      return new HalfSpace(
          axes, cube, Arrays.stream(direction).map(part -> -part).toArray(), -distance);
    }

    double along(Parameters parameters) {
      double[] point = axes.encode(parameters);
      if (point == null) {
        throw new IllegalArgumentException(parameters.toJson() + " does not lie in the space");
      }
      return along(cube.place(point));
    }

    private double along(double[] place) {
      return IntStream.range(0, place.length).mapToDouble(i -> direction[i] * place[i]).sum();
    }

    boolean holds(Parameters parameters) {
      return along(parameters) >= distance;
    }

    /** The distances of random places, ascending. */
    double[] sample(SearchProblem problem) {
      Rng rng = Rng.keyed(problem.name().hashCode(), 4);
      return IntStream.range(0, SAMPLE)
          .mapToDouble(i -> along(cube.snap(cube.sample(rng))))
          .sorted()
          .toArray();
    }
  }
}
