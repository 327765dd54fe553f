package io.orrery.tuner.search.tpe;

import io.orrery.core.space.Dimension.Numeric;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.tpe.Observations.Observation;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * A model that takes each parameter by itself, as NNI and hyperopt do it.
 *
 * <p>A parameter under a nested choice is modelled from the trials that had it; one that has been
 * seen in too few is drawn from the search space's own distribution. A randint is a set of
 * categories, as it is to NNI.
 *
 * <p>What is called linear forgetting weighs the trials of a group by their rank in loss, from the
 * best up to the worst, as NNI and hyperopt do. The name promises to forget the old ones; but among
 * the bad ones it is the better half that is discounted, which keeps the other density from pushing
 * candidates away from where the good trials are. Weights by age were measured on Branin, Ackley-5,
 * Rosenbrock-5, Styblinski-Tang-6 and an integer problem, 20 seeds each: the regret after 100
 * trials was 1.2 to 1.8 times as high.
 */
record Independent(Axes axes, TpeOptions options) implements Model {
  @Override
  public double[] remembered(double[] point) {
    return point;
  }

  @Override
  public double[] propose(long number, Observations history, Predicate<double[]> free, Rng rng) {
    List<Observation> byLoss = history.byLoss(options.liar());
    return axes.point(axis -> propose(axis, byLoss, rng.split(axis.index())));
  }

  private double propose(Axis axis, List<Observation> byLoss, Rng rng) {
    double[] seen =
        byLoss.stream()
            .mapToDouble(o -> o.point()[axis.index()])
            .filter(coordinate -> !Double.isNaN(coordinate))
            .toArray();
    if (seen.length < options.startup()) {
      return Axes.sample(axis, rng);
    }
    int good = good(seen.length);
    Density below = density(axis, Arrays.copyOf(seen, good));
    Density above = density(axis, Arrays.copyOfRange(seen, good, seen.length));
    double best = Double.NaN;
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < options.candidates(); i++) {
      double candidate = below.draw(rng);
      double gain = below.log(candidate) - above.log(candidate);
      if (i == 0 || gain > highest) {
        highest = gain;
        best = candidate;
      }
    }
    return best;
  }

  /** How many of so many trials are good. */
  private int good(int known) {
    return (int)
        Math.min(Math.ceil(options.gamma() * Math.sqrt(known)), Math.min(known, options.memory()));
  }

  private Density density(Axis axis, double[] observed) {
    double[] weights = weights(observed.length);
    // Where nothing was observed there is only the prior, whatever little it is worth elsewhere.
    double priorWeight = observed.length == 0 ? 1 : options.priorWeight();
    return axis.categories() == 0 && axis.dimension() instanceof Numeric numeric
        ? new Parzen(observed, weights, Prior.of(numeric), priorWeight)
        : new Frequencies(observed, weights, axis.categories(), priorWeight);
  }

  /** Weights from the best to the worst of a group: a ramp up to 1, and 1 for the last few. */
  private double[] weights(int count) {
    int ramp = Math.max(0, count - options.memory());
    double[] weights = new double[count];
    for (int i = 0; i < count; i++) {
      double lowest = 1.0 / count;
      weights[i] = i >= ramp ? 1 : lowest + (1 - lowest) * i / Math.max(1, ramp - 1);
    }
    return weights;
  }
}
