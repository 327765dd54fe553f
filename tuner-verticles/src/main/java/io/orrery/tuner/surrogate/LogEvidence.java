package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Cholesky;
import io.orrery.tuner.math.Lbfgs;
import java.util.Arrays;
import java.util.List;

/**
 * A measure of how badly hyper-parameters explain what was observed: the negative logarithm of the
 * likelihood of the values, times that of the hyper-parameters' priors, with its gradient
 * (Rasmussen, Williams: "Gaussian processes for machine learning", 2006, section 5.4). The mean is
 * the one that is likeliest.
 */
final class LogEvidence implements Lbfgs.Smooth {
  private static final double THIRD = 1 / 3.0;

  /** The distance of the two slopes from which a curvature is computed. */
  private static final double ASIDE = 0.1;

  private final Layout layout;
  private final double[] values;

  /** The distance along each axis of each pair of observations (i, j < i). */
  private final double[][] distances;

  private final Correlations correlations;

  /** The derivative of the loss by the covariance of each pair. */
  private final double[] shares;

  /** For each pair, the covariance, and later the derivatives of it. */
  private final double[] terms;

  LogEvidence(Layout layout, List<double[]> places, double[] values) {
    this.layout = layout;
    this.values = values;
    correlations = new Correlations(layout);
    int n = values.length;
    shares = new double[n * (n - 1) / 2];
    terms = new double[shares.length];
    distances = new double[layout.axes()][shares.length];
    int pair = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++, pair++) {
        for (int axis = 0; axis < distances.length; axis++) {
          double difference = Math.abs(places.get(i)[axis] - places.get(j)[axis]);
          distances[axis][pair] = layout.choice()[axis] && difference > 0 ? 1 : difference;
        }
      }
    }
  }

  /** The hyper-parameters that explain it best, found from the middle of their priors. */
  double[] fit(int evaluations) {
    int size = layout.size();
    double[] start = new double[size];
    double[] low = new double[size];
    double[] high = new double[size];
    Arrays.setAll(start, layout::mean);
    Arrays.setAll(low, layout::low);
    Arrays.setAll(high, layout::high);
    return new Lbfgs(this, low, high, 1e-3).minimise(start, 0.7, evaluations).x();
  }

  /**
   * How far each hyper-parameter may be from the likeliest, by the curvature there (Laplace's
   * approximation, each by itself); at most as far as before there were observations.
   */
  double[] deviations(double[] likeliest) {
    double[] slope = new double[likeliest.length];
    double[] aside = new double[likeliest.length];
    double[] deviations = new double[likeliest.length];
    at(likeliest, slope);
    for (int i = 0; i < likeliest.length; i++) {
      double[] moved = likeliest.clone();
      moved[i] += ASIDE;
      double loss = at(moved, aside);
      double curvature = (aside[i] - slope[i]) / ASIDE;
      double prior = layout.deviation(i);
      deviations[i] =
          Double.isFinite(loss) && curvature > 1 / (prior * prior)
              ? 1 / Math.sqrt(curvature)
              : prior;
    }
    return deviations;
  }

  @Override
  public double at(double[] logarithms, double[] gradient) {
    int n = values.length;
    Hyperparameters hyper = Hyperparameters.of(layout, logarithms);
    correlations.compute(hyper, terms.length, axis -> distances[axis]);
    correlations.covariances(hyper, terms);
    Cholesky factor = new Cholesky(n);
    for (int i = 0; i < n; i++) {
      double[] row = new double[i + 1];
      System.arraycopy(terms, i * (i - 1) / 2, row, 0, i);
      row[i] = hyper.variance() + hyper.noise();
      if (!factor.append(row)) {
        return Double.POSITIVE_INFINITY;
      }
    }
    double[] weights = residualWeights(factor, values);
    double loss = 0.5 * factor.logDeterminant();
    for (int i = 0; i < n; i++) {
      loss += 0.5 * weights[i] * (values[i] - weights[n]);
    }
    slope(hyper, weights, factor.inverse(), gradient);
    for (int at = 0; at < logarithms.length; at++) {
      double away = (logarithms[at] - layout.mean(at)) / layout.deviation(at);
      loss += 0.5 * away * away;
      gradient[at] += away / layout.deviation(at);
    }
    return loss;
  }

  /** The likelihood's part of the gradient: half the trace of (A⁻¹ - weights weightsᵀ) dA. */
  private void slope(
      Hyperparameters hyper, double[] weights, double[][] inverse, double[] gradient) {
    int d = layout.axes();
    double trace = share(weights, inverse);
    if (layout.additive()) {
      gradient[layout.single()] = hyper.single() * (correlations.ofSums(shares) + 0.5 * trace * d);
      gradient[layout.paired()] =
          hyper.paired() * (correlations.ofPairs(shares) + 0.25 * trace * d * (d - 1));
    }
    gradient[layout.joint()] = hyper.joint() * (correlations.ofProducts(shares) + 0.5 * trace);
    gradient[layout.noise()] = 0.5 * trace * hyper.noise();
    for (int axis = 0; axis < d; axis++) {
      correlations.involving(axis, hyper, terms);
      if (layout.choice()[axis]) {
        multiply(hyper.rates()[axis], distances[axis], terms);
      } else {
        slope(hyper.rates()[axis], distances[axis], terms);
      }
      gradient[axis] = Cholesky.dot(shares, terms, terms.length);
    }
  }

  /** Of A⁻¹ - weights weightsᵀ: leaves each pair's element, and gives the trace. */
  private double share(double[] weights, double[][] inverse) {
    double trace = 0;
    int pair = 0;
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < i; j++, pair++) {
        // Both halves of the matrix: twice one half.
        shares[pair] = inverse[i][j] - weights[i] * weights[j];
      }
      trace += inverse[i][i] - weights[i] * weights[i];
    }
    return trace;
  }

  /**
   * A choice's kernel is e^-s; its derivative by the logarithm of the length, over itself, is s.
   */
  private static void multiply(double rate, double[] distances, double[] terms) {
    for (int i = 0; i < terms.length; i++) {
      terms[i] *= rate * distances[i];
    }
  }

  /** That of (1 + s + s²/3) e^-s, over itself, is s²/3 (1 + s) / (1 + s + s²/3). */
  private static void slope(double rate, double[] distances, double[] terms) {
    for (int i = 0; i < terms.length; i++) {
      double size = rate * distances[i];
      terms[i] *= size * size * THIRD * (1 + size) / (1 + size * (1 + size * THIRD));
    }
  }

  /** A⁻¹(values - mean), and behind it the mean that is likeliest: 1ᵀA⁻¹values / 1ᵀA⁻¹1. */
  static double[] residualWeights(Cholesky factor, double[] values) {
    int n = values.length;
    double[] ones = new double[n];
    Arrays.fill(ones, 1);
    double[] scaled = values.clone();
    factor.forward(ones);
    factor.forward(scaled);
    double mean = Cholesky.dot(ones, scaled, n) / Cholesky.dot(ones, ones, n);
    double[] weights = new double[n + 1];
    double[] residual = new double[n];
    for (int i = 0; i < n; i++) {
      residual[i] = scaled[i] - mean * ones[i];
    }
    factor.backward(residual);
    System.arraycopy(residual, 0, weights, 0, n);
    weights[n] = mean;
    return weights;
  }
}
