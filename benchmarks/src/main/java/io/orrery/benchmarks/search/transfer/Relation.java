package io.orrery.benchmarks.search.transfer;

import io.orrery.benchmarks.search.problem.SearchProblem;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The way in which earlier problems are related to the one that is searched. */
enum Relation {
  /** The same problem, searched by another seed. */
  SEED {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return List.of(new Earlier(problem.space(), problem::value, problem.noise()));
    }
  },

  /** The optimum lies elsewhere, by up to a tenth of each range, and the scale is another. */
  SHIFT {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return Stream.of(1, 2, 3).map(k -> shifted(problem, rng.split(k), 0)).toList();
    }
  },

  /** Shifted, and with noise of a tenth of the way from the optimum to a random configuration. */
  NOISE {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return Stream.of(1, 2, 3).map(k -> shifted(problem, rng.split(k), 0.1)).toList();
    }
  },

  /** The same model on another data set; only of problems that there are on several. */
  DATASET {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return all.stream()
          .filter(other ->
              !other.name().equals(problem.name()) && other.space().equals(problem.space()))
          .filter(other -> stem(other).equals(stem(problem)) && other.tags().contains("real"))
          .map(other -> new Earlier(other.space(), other::value, other.noise()))
          .toList();
    }
  },

  /** Three functions that have only the space in common with the problem. */
  UNRELATED {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return Stream.of(1, 2, 3).map(k -> random(problem, rng.split(k))).toList();
    }
  },

  /** The same problem with the sign of its values turned. */
  OPPOSITE {
    @Override
    List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng) {
      return List.of(
          new Earlier(problem.space(), p -> -problem.value(p), problem.noise()),
          random(problem, rng));
    }
  };

  private static final double SHIFT_AT_MOST = 0.1;
  private static final int WAVES = 4;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The earlier problems; none when a problem has no such relatives. */
  abstract List<Earlier> earlier(SearchProblem problem, List<SearchProblem> all, Rng rng);

  private static String stem(SearchProblem problem) {
    return problem.name().replaceFirst("_[^_]*$", "");
  }

  private static Earlier shifted(SearchProblem problem, Rng rng, double noise) {
    Axes axes = Axes.of(problem.space());
    UnitCube cube = new UnitCube(axes);
    double[] shift = new double[cube.size()];
    for (int axis = 0; axis < shift.length; axis++) {
      shift[axis] = cube.isChoice(axis) ? 0 : SHIFT_AT_MOST * (2 * rng.nextOpen() - 1);
    }
    double factor = Math.exp(2 * rng.nextOpen() - 1);
    double offset = 10 * rng.nextOpen();
    double spread = factor * problem.unit();
    ToDoubleFunction<Parameters> value =
        parameters -> {
          double[] place = place(axes, cube, parameters);
          for (int axis = 0; axis < place.length; axis++) {
            if (!cube.isChoice(axis)) {
              place[axis] = reflected(place[axis] + shift[axis]);
            }
          }
          return offset + factor * problem.value(axes.decode(cube.point(place)));
        };
    return new Earlier(problem.space(), value, noise * spread);
  }

  private static double reflected(double at) {
    return at < 0 ? -at : at > 1 ? 2 - at : at;
  }

  /** A sum of waves over the numbers, and a value for each option of a choice. */
  private static Earlier random(SearchProblem problem, Rng rng) {
    Axes axes = Axes.of(problem.space());
    UnitCube cube = new UnitCube(axes);
    double[][] waves = new double[WAVES][cube.size() + 1];
    for (double[] wave : waves) {
      for (int i = 0; i < wave.length; i++) {
        wave[i] = 6 / Math.sqrt(cube.size()) * Gaussian.quantile(rng.nextOpen());
      }
    }
    long key = rng.nextLong();
    return new Earlier(
        problem.space(),
        parameters -> {
          double[] place = place(axes, cube, parameters);
          double sum = 0;
          for (int axis = 0; axis < place.length; axis++) {
            sum +=
                cube.isChoice(axis)
                    ? Rng.keyed(key, 100L * axis + (long) place[axis]).nextOpen()
                    : 0;
          }
          for (double[] wave : waves) {
            double phase = wave[place.length];
            for (int axis = 0; axis < place.length; axis++) {
              phase += cube.isChoice(axis) ? 0 : wave[axis] * place[axis];
            }
            sum += Math.cos(phase);
          }
          return sum;
        },
        0);
  }

  private static double[] place(Axes axes, UnitCube cube, Parameters parameters) {
    double[] point = axes.encode(parameters);
    if (point == null) {
      throw new IllegalArgumentException(parameters.toJson() + " does not lie in the space");
    }
    return cube.place(point);
  }
}
