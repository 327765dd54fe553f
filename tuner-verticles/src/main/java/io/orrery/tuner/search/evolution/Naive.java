package io.orrery.tuner.search.evolution;

import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History;
import io.orrery.tuner.search.History.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A search like NNI's Evolution: the population begins at random; of two members that are drawn the
 * better one is copied with one parameter drawn anew (of a nested choice everything below it as
 * well), the other one dies; a trial that failed leaves its place to a random one.
 *
 * <p>NNI lets the loser die when it suggests. Here it dies when the child's result comes in,
 * because what a tuner knows must not depend on how suggestions and results interleaved; and no
 * trial has to wait when more trials run than the population has members.
 */
final class Naive {
  private final Axes axes;
  private final int size;
  private final long seed;

  Naive(Axes axes, int size, long seed) {
    this.axes = axes;
    this.size = size;
    this.seed = seed;
  }

  Stream<double[]> next(History known, long number, Rng rng) {
    List<Trial> population = population(known);
    if (population.size() < size) {
      return Stream.generate(() -> axes.sample(rng));
    }
    return Stream.generate(() -> mutant(better(population, rng), rng));
  }

  private List<Trial> population(History known) {
    List<Trial> population = new ArrayList<>();
    int results = 0;
    for (Trial trial : known.ended()) {
      results++;
      if (Double.isNaN(trial.loss())) {
        continue;
      }
      if (population.size() == size) {
        population.remove(worse(population, Rng.keyed(seed, -results)));
      }
      population.add(trial);
    }
    return population;
  }

  private static Trial better(List<Trial> population, Rng rng) {
    Trial one = population.get(rng.nextInt(population.size()));
    Trial other = population.get(rng.nextInt(population.size()));
    return one.loss() <= other.loss() ? one : other;
  }

  private static int worse(List<Trial> population, Rng rng) {
    int one = rng.nextInt(population.size());
    int other = rng.nextInt(population.size());
    return population.get(one).loss() > population.get(other).loss() ? one : other;
  }

  private double[] mutant(Trial parent, Rng rng) {
    List<Axis> present =
        axes.all().stream().filter(axis -> !Double.isNaN(parent.point()[axis.index()])).toList();
    int mutated = present.isEmpty() ? -1 : present.get(rng.nextInt(present.size())).index();
    return axes.point(axis -> {
      double from = parent.point()[axis.index()];
      boolean isNew = axis.index() == mutated || Double.isNaN(from);
      return isNew ? Axes.sample(axis, rng) : from;
    });
  }
}
