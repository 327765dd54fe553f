package io.orrery.tuner.search.cmaes;

import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Cholesky;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The distribution that places are drawn from, and how a generation of results moves it.
 *
 * <p>It is a fold over the sequence of results: whatever drew a place, its result counts in the
 * generation that is open when it comes in, with its step clipped when it lies further out than
 * draws do (Hansen: "Injecting external solutions into CMA-ES", 2011). So late results, those that
 * users bring, and a replay need no care.
 *
 * <p>Notation and constants are those of Hansen's tutorial ("The CMA evolution strategy", 2016); in
 * place of the root of C its Cholesky factor serves, as in Krause, Arbonès, Igel (NIPS 2016).
 */
final class CmaesPopulation {
  private record Member(double[] place, double loss) {}

  private static final double FIRST_SIGMA = 0.25;

  /** Below it the distribution has shrunk to a point, and the search begins anew elsewhere. */
  private static final double LEAST_SIGMA = 1e-5;

  private static final double MOST_SIGMA = 1;

  private final UnitCube cube;
  private final long seed;
  private final int[] numbers;
  private final List<Member> generation = new ArrayList<>();
  private final double[][] options;

  private int restarts;
  private int size;
  private double[] weights;
  private double selection;
  private double[] mean;
  private double sigma;
  private double[][] covariance;
  private Cholesky factor;
  private double[] stepPath;
  private double[] shapePath;
  private int generations;

  CmaesPopulation(UnitCube cube, long seed) {
    this.cube = cube;
    this.seed = seed;
    numbers = IntStream.range(0, cube.size()).filter(axis -> !cube.isChoice(axis)).toArray();
    options = new double[cube.size()][];
    size = 4 + (int) (3 * Math.log(Math.max(1, cube.size())));
    weights = new double[0];
    mean = new double[numbers.length];
    covariance = new double[0][];
    factor = new Cholesky(numbers.length);
    stepPath = new double[0];
    shapePath = new double[0];
    begin();
  }

  /**
   * Starts afresh: the first time from the middle, then from anywhere, with a bigger generation.
   */
  private void begin() {
    int d = numbers.length;
    Rng rng = Rng.keyed(seed, -1).split(restarts);
    Arrays.setAll(mean, i -> restarts == 0 ? 0.5 : rng.nextDouble());
    size *= restarts == 0 ? 1 : 2;
    sigma = FIRST_SIGMA;
    covariance = new double[d][];
    Arrays.setAll(covariance, i -> new double[i + 1]);
    IntStream.range(0, d).forEach(i -> covariance[i][i] = 1);
    factor = factored();
    stepPath = new double[d];
    shapePath = new double[d];
    generations = 0;
    for (int axis = 0; axis < cube.size(); axis++) {
      options[axis] = new double[cube.isChoice(axis) ? cube.options(axis) : 0];
      Arrays.fill(options[axis], 1.0 / options[axis].length);
    }
    int parents = size / 2;
    weights = new double[parents];
    Arrays.setAll(weights, i -> Math.log((size + 1) / 2.0) - Math.log(i + 1));
    double sum = Arrays.stream(weights).sum();
    Arrays.setAll(weights, i -> weights[i] / sum);
    selection = 1 / Arrays.stream(weights).map(w -> w * w).sum();
  }

  /** A place drawn from the distribution. */
  double[] draw(Rng rng) {
    double[] place = new double[cube.size()];
    double[] normal = new double[numbers.length];
    Arrays.setAll(normal, i -> rng.nextGaussian());
    double[] step = factor.times(normal);
    double margin = 1.0 / (size * Math.max(1, cube.size()));
    for (int i = 0; i < numbers.length; i++) {
      int axis = numbers[i];
      double at = reflected(mean[i] + sigma * step[i]);
      // With margin: an axis of few values must not freeze (Hamano et al., GECCO 2022).
      double gap = cube.step(axis, at);
      if (gap > 0 && rng.nextDouble() < margin) {
        at = reflected(at + (rng.nextBoolean() ? gap : -gap));
      }
      place[axis] = at;
    }
    for (int axis = 0; axis < cube.size(); axis++) {
      if (cube.isChoice(axis)) {
        place[axis] = drawn(options[axis], rng);
      }
    }
    return place;
  }

  private static int drawn(double[] shares, Rng rng) {
    double rest = rng.nextDouble();
    int option = 0;
    while (option < shares.length - 1 && rest >= shares[option]) {
      rest -= shares[option++];
    }
    return option;
  }

  /** Folds a coordinate that left the unit interval back into it. */
  private static double reflected(double at) {
    double folded = Math.abs(at) % 2;
    return folded > 1 ? 2 - folded : folded;
  }

  /** Takes in a result; NaN counts as worst. */
  void add(double[] place, double loss) {
    generation.add(new Member(place, Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss));
    if (generation.size() >= size) {
      generation.sort(Comparator.comparingDouble(Member::loss));
      move(generation.subList(0, weights.length));
      generation.clear();
      if (numbers.length > 0 && sigma * largest() < LEAST_SIGMA) {
        restarts++;
        begin();
      }
    }
  }

  private void move(List<Member> parents) {
    choose(parents);
    int d = numbers.length;
    if (d == 0) {
      return;
    }
    double forStep = (selection + 2) / (d + selection + 5);
    double damping = 1 + 2 * Math.max(0, Math.sqrt((selection - 1) / (d + 1)) - 1) + forStep;
    double forPath = (4 + selection / d) / (d + 4 + 2 * selection / d);
    double rankOne = 2 / ((d + 1.3) * (d + 1.3) + selection);
    double rankMany =
        Math.min(
            1 - rankOne, 2 * (selection - 2 + 1 / selection) / ((d + 2.0) * (d + 2) + selection));
    double expected = Math.sqrt(d) * (1 - 1 / (4.0 * d) + 1 / (21.0 * d * d));

    double[][] steps = new double[parents.size()][];
    double[] shift = new double[d];
    for (int k = 0; k < steps.length; k++) {
      steps[k] = step(parents.get(k).place(), expected);
      for (int i = 0; i < d; i++) {
        shift[i] += weights[k] * steps[k][i];
      }
    }
    double[] white = shift.clone();
    factor.forward(white);
    generations++;
    for (int i = 0; i < d; i++) {
      mean[i] = Math.clamp(mean[i] + sigma * shift[i], 0, 1);
      stepPath[i] =
          (1 - forStep) * stepPath[i] + Math.sqrt(forStep * (2 - forStep) * selection) * white[i];
    }
    double length = Math.sqrt(Cholesky.dot(stepPath, stepPath, d));
    double usual = Math.sqrt(1 - Math.pow(1 - forStep, 2.0 * generations)) * expected;
    boolean steady = length < (1.4 + 2 / (d + 1.0)) * usual;
    for (int i = 0; i < d; i++) {
      shapePath[i] =
          (1 - forPath) * shapePath[i]
              + (steady ? Math.sqrt(forPath * (2 - forPath) * selection) * shift[i] : 0);
    }
    double kept = 1 - rankOne - rankMany + (steady ? 0 : rankOne * forPath * (2 - forPath));
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = kept * covariance[i][j] + rankOne * shapePath[i] * shapePath[j];
        for (int k = 0; k < steps.length; k++) {
          sum += rankMany * weights[k] * steps[k][i] * steps[k][j];
        }
        covariance[i][j] = sum;
      }
    }
    sigma = Math.min(MOST_SIGMA, sigma * Math.exp(forStep / damping * (length / expected - 1)));
    factor = factored();
  }

  /** The step from the mean to a place in units of sigma, no longer than a draw may be. */
  private double[] step(double[] place, double expected) {
    double[] step = new double[numbers.length];
    Arrays.setAll(step, i -> (place[numbers[i]] - mean[i]) / sigma);
    double[] white = step.clone();
    factor.forward(white);
    double length = Math.sqrt(Cholesky.dot(white, white, white.length));
    double most = expected + 2;
    if (length > most) {
      Arrays.setAll(step, i -> step[i] * most / length);
    }
    return step;
  }

  /** Moves the shares of options towards those of the parents, and keeps each option possible. */
  private void choose(List<Member> parents) {
    double rate = Math.min(0.5, selection / (cube.size() + selection + 2));
    for (int axis = 0; axis < cube.size(); axis++) {
      double[] shares = options[axis];
      double[] seen = new double[shares.length];
      for (int k = 0; k < parents.size(); k++) {
        double option = shares.length == 0 ? UnitCube.ABSENT : parents.get(k).place()[axis];
        if (option >= 0) {
          seen[(int) option] += weights[k];
        }
      }
      double total = Arrays.stream(seen).sum();
      double least = 1.0 / (size * Math.max(1, shares.length));
      for (int option = 0; option < shares.length && total > 0; option++) {
        shares[option] += rate * (seen[option] / total - shares[option]);
        shares[option] = Math.max(least, shares[option]);
      }
      double sum = Arrays.stream(shares).sum();
      Arrays.setAll(shares, option -> shares[option] / sum);
    }
  }

  private double largest() {
    return IntStream.range(0, numbers.length)
        .mapToDouble(i -> Math.sqrt(covariance[i][i]))
        .max()
        .orElse(0);
  }

  private Cholesky factored() {
    Cholesky made = new Cholesky(numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      double[] row = covariance[i].clone();
      row[i] += 1e-12;
      if (!made.append(row)) {
        restarts++;
        begin();
        return factor;
      }
    }
    return made;
  }
}
