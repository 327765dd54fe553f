package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is believed of a function after some observations: a normal distribution of its value at
 * each place.
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

  private final Kernel kernel;
  private final List<double[]> places = new ArrayList<>();
  private final Cholesky factor;

  /** Of each place with itself and those before it. */
  private final List<double[]> covariances = new ArrayList<>();

  private final int observed;
  private final double[] weights;
  private final double mean;

  /** Throws ArithmeticException when the matrix cannot be factored, noise notwithstanding. */
  GaussianProcess(Kernel kernel, List<double[]> places, double[] values) {
    this.kernel = kernel;
    factor = new Cholesky(places.size() + 16);
    places.forEach(this::add);
    observed = places.size();
    double[] all = Evidence.residualWeights(factor, values);
    weights = Arrays.copyOf(all, observed);
    mean = all[observed];
  }

  /** Adds a row; where rounding has left nothing of its variance, with a little more noise. */
  private void add(double[] place) {
    int n = places.size();
    double[] covariance = new double[n + 1];
    for (int i = 0; i < n; i++) {
      covariance[i] = kernel.at(place, places.get(i));
    }
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
    places.add(place);
    covariances.add(covariance);
  }

  /** Expects the value of a place to come as it is believed now. */
  void await(double[] place) {
    add(place);
  }

  /** Forgets all that is awaited. */
  void awaitNothing() {
    factor.truncate(observed);
    places.subList(observed, places.size()).clear();
    covariances.subList(observed, covariances.size()).clear();
  }

  /** The means at the places that were observed, and behind them those that are awaited. */
  double[] means() {
    double[] means = new double[places.size()];
    for (int i = 0; i < means.length; i++) {
      double sum = mean;
      for (int j = 0; j < observed; j++) {
        sum += weights[j] * (j <= i ? covariances.get(i)[j] : covariances.get(j)[i]);
      }
      means[i] = sum;
    }
    return means;
  }

  /** The mean alone, which costs far less than the whole belief. */
  double mean(double[] place) {
    double sum = mean;
    for (int i = 0; i < observed; i++) {
      sum += weights[i] * kernel.at(place, places.get(i));
    }
    return sum;
  }

  Belief at(double[] place) {
    double[] row = row(place);
    double expected = mean + Cholesky.dot(weights, row, observed);
    factor.forward(row);
    return new Belief(expected, deviation(row));
  }

  /**
   * The belief with its derivatives by the numbers of the place.
   *
   * @param byMean receives those of the mean
   * @param byDeviation receives those of the deviation
   */
  Belief at(double[] place, double[] byMean, double[] byDeviation) {
    int d = place.length;
    double[] row = new double[places.size()];
    double[] slopes = new double[row.length * d];
    for (int i = 0; i < row.length; i++) {
      row[i] = kernel.at(place, places.get(i), slopes, i * d);
    }
    double expected = mean + Cholesky.dot(weights, row, observed);
    factor.forward(row);
    double deviation = deviation(row);
    factor.backward(row);
    Arrays.fill(byMean, 0);
    Arrays.fill(byDeviation, 0);
    for (int i = 0; i < row.length; i++) {
      double meanWeight = i < observed ? weights[i] : 0;
      double deviationWeight = -row[i] / deviation;
      for (int axis = 0; axis < d; axis++) {
        byMean[axis] += meanWeight * slopes[i * d + axis];
        byDeviation[axis] += deviationWeight * slopes[i * d + axis];
      }
    }
    return new Belief(expected, deviation);
  }

  private double[] row(double[] place) {
    double[] row = new double[places.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = kernel.at(place, places.get(i));
    }
    return row;
  }

  private double deviation(double[] row) {
    double variance = kernel.variance() - Cholesky.dot(row, row, row.length);
    return Math.sqrt(Math.max(variance, LEAST_VARIANCE));
  }
}
