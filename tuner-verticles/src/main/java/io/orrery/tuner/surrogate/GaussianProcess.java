package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The belief about a function after some observations: a normal distribution of its value at each
 * place.
 *
 * <p>A place whose value is awaited can be added with the value that is expected there (the
 * "kriging believer" of Ginsbourger, Le Riche, Carraro, 2010). That leaves every mean as it is, and
 * takes away the uncertainty about it. Not thread safe.
 */
final class GaussianProcess {
  /**
   * A value that is believed.
   *
   * @param deviation of the function, without noise
   */
  record Belief(double mean, double deviation) {}

  private static final double LEAST_VARIANCE = 1e-12;
  private static final double FIRST_EXTRA = 1e-8;

  /** Of the places that were observed, and behind them those that are awaited. */
  private final Kernel kernel;

  private final Cholesky factor;

  /** Of each place with itself and those before it. */
  private final List<double[]> covariances = new ArrayList<>();

  /** What is expected before there are observations, at each place. */
  private final Trend trend;

  private final List<Double> expected = new ArrayList<>();

  /** The places whose values are to come. */
  private final List<double[]> awaited = new ArrayList<>();

  private final int observed;
  private final double[] weights;
  private final double mean;

  /**
   * What is believed after observations.
   *
   * @param kernel without places yet
   * @throws ArithmeticException when the matrix cannot be factored, noise notwithstanding
   */
  GaussianProcess(Kernel kernel, List<double[]> places, double[] values) {
    this(kernel, places, values, Trend.NONE);
  }

  /**
   * What is believed after observations, where something was expected before.
   *
   * @param values as observed, the trend among them
   */
  GaussianProcess(Kernel kernel, List<double[]> places, double[] values, Trend trend) {
    this.kernel = kernel;
    this.trend = trend;
    factor = new Cholesky(places.size() + 16);
    places.forEach(this::add);
    observed = places.size();
    double[] rest = new double[values.length];
    Arrays.setAll(rest, i -> values[i] - expected.get(i));
    double[] all = LogEvidence.residualWeights(factor, rest);
    weights = Arrays.copyOf(all, observed);
    mean = all[observed];
  }

  /** Adds a row; where rounding has left nothing of its variance, with a little more noise. */
  private void add(double[] place) {
    int n = kernel.size();
    double[] covariance = Arrays.copyOf(kernel.row(place, n), n + 1);
    covariance[n] = kernel.variance();
    double extra = 0;
    boolean added = false;
    while (!added && extra < kernel.variance()) {
      double[] row = covariance.clone();
      row[n] = kernel.variance() + kernel.noise() + extra;
      added = factor.append(row);
      extra = Math.max(FIRST_EXTRA * kernel.variance(), 10 * extra);
    }
    if (!added) {
      throw new ArithmeticException("the covariance of " + n + " places is singular");
    }
    kernel.add(place);
    covariances.add(covariance);
    expected.add(trend.at(place));
  }

  /** Expects the value of a place to come as it is believed now. */
  void await(double[] place) {
    add(place);
    awaited.add(place);
  }

  /**
   * Expects the values of these places to come as they are believed now, and of no others. What
   * they have in common at their beginning with those before costs nothing.
   */
  void awaitOnly(List<double[]> places) {
    int same = 0;
    while (same < Math.min(awaited.size(), places.size())
        && Arrays.equals(awaited.get(same), places.get(same))) {
      same++;
    }
    keepAwaited(same);
    places.subList(same, places.size()).forEach(this::await);
  }

  /** Forgets all that is awaited. */
  void awaitNothing() {
    keepAwaited(0);
  }

  private void keepAwaited(int kept) {
    int rows = observed + kept;
    factor.truncate(rows);
    kernel.truncate(rows);
    covariances.subList(rows, covariances.size()).clear();
    expected.subList(rows, expected.size()).clear();
    awaited.subList(kept, awaited.size()).clear();
  }

  /** The means at the places that were observed, and behind them those that are awaited. */
  double[] means() {
    double[] means = new double[covariances.size()];
    for (int i = 0; i < means.length; i++) {
      double sum = mean + expected.get(i);
      for (int j = 0; j < observed; j++) {
        sum += weights[j] * (j <= i ? covariances.get(i)[j] : covariances.get(j)[i]);
      }
      means[i] = sum;
    }
    return means;
  }

  /** The mean alone, which costs far less than the whole belief. */
  double mean(double[] place) {
    return trend.at(place) + mean + Cholesky.dot(weights, kernel.row(place, observed), observed);
  }

  /**
   * The mean alone with its derivatives by the numbers of the place.
   *
   * @param slope receives them
   */
  double mean(double[] place, double[] slope) {
    double[][] slopes = new double[place.length][];
    double[] row = kernel.row(place, slopes);
    for (int axis = 0; axis < slopes.length; axis++) {
      slope[axis] = Cholesky.dot(weights, slopes[axis], observed);
    }
    return trend.at(place, slope) + mean + Cholesky.dot(weights, row, observed);
  }

  Belief at(double[] place) {
    double[] row = kernel.row(place, kernel.size());
    double value = trend.at(place) + mean + Cholesky.dot(weights, row, observed);
    factor.forward(row);
    return new Belief(value, deviation(Cholesky.dot(row, row, row.length)));
  }

  /** The beliefs at many places, which cost less together than one by one. */
  List<Belief> at(List<double[]> places) {
    double[][] rows = new double[kernel.size()][places.size()];
    double[] means = new double[places.size()];
    for (int column = 0; column < means.length; column++) {
      double[] row = kernel.row(places.get(column), rows.length);
      means[column] = trend.at(places.get(column)) + mean + Cholesky.dot(weights, row, observed);
      for (int i = 0; i < rows.length; i++) {
        rows[i][column] = row[i];
      }
    }
    factor.forward(rows);
    double[] explained = new double[means.length];
    for (double[] row : rows) {
      addSquares(row, explained);
    }
    return IntStream.range(0, means.length)
        .mapToObj(column -> new Belief(means[column], deviation(explained[column])))
        .toList();
  }

  /** The rows of L⁻¹ times the covariances of a place, of which scalar products are explained. */
  double[] explained(double[] place) {
    double[] row = kernel.row(place, kernel.size());
    factor.forward(row);
    return row;
  }

  /** The covariance of the function at two places before there were observations. */
  double[] covariances(double[] place, int count) {
    return kernel.row(place, count);
  }

  /** The variance of the function at any place before there were observations. */
  double variance() {
    return kernel.variance();
  }

  /** The variance of an observation about the function. */
  double noise() {
    return kernel.noise();
  }

  private static void addSquares(double[] row, double[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += row[i] * row[i];
    }
  }

  /**
   * The belief with its derivatives by the numbers of the place.
   *
   * @param byMean receives those of the mean
   * @param byDeviation receives those of the deviation
   */
  Belief at(double[] place, double[] byMean, double[] byDeviation) {
    double[][] slopes = new double[place.length][];
    double[] row = kernel.row(place, slopes);
    double value = mean + Cholesky.dot(weights, row, observed);
    factor.forward(row);
    double deviation = deviation(Cholesky.dot(row, row, row.length));
    factor.backward(row);
    for (int axis = 0; axis < slopes.length; axis++) {
      byMean[axis] = Cholesky.dot(weights, slopes[axis], observed);
      byDeviation[axis] = -Cholesky.dot(row, slopes[axis], row.length) / deviation;
    }
    return new Belief(value + trend.at(place, byMean), deviation);
  }

  private double deviation(double explained) {
    return Math.sqrt(Math.max(kernel.variance() - explained, LEAST_VARIANCE));
  }
}
