package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Cholesky;
import io.orrery.tuner.math.Lbfgs;
import java.util.Arrays;
import java.util.List;

/**
 * How badly hyper-parameters explain what was observed: the negative logarithm of the likelihood of
 * the values, times that of the hyper-parameters' priors, with its gradient (Rasmussen, Williams:
 * "Gaussian processes for machine learning", 2006, section 5.4). The mean is the one that is
 * likeliest.
 */
final class Evidence implements Lbfgs.Smooth {
  private static final double ROOT_FIVE = Math.sqrt(5);

  /** How far apart two slopes are taken for the curvature between them. */
  private static final double ASIDE = 0.1;

  private final Layout layout;
  private final double[] values;

  /** For each pair of observations (i, j < i), in rows, the distance along each axis. */
  private final double[] distances;

  private final double[] kernels;
  private final double[] slopes;

  Evidence(Layout layout, List<double[]> places, double[] values) {
    this.layout = layout;
    this.values = values;
    int n = values.length;
    int d = layout.axes();
    distances = new double[n * (n - 1) / 2 * d];
    kernels = new double[distances.length];
    slopes = new double[distances.length];
    int at = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        for (int axis = 0; axis < d; axis++) {
          double difference = Math.abs(places.get(i)[axis] - places.get(j)[axis]);
          distances[at++] = layout.choice()[axis] && difference > 0 ? 1 : difference;
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
  public double at(double[] hyper, double[] gradient) {
    int n = values.length;
    int d = layout.axes();
    boolean additive = layout.additive();
    double pairs = d * (d - 1) / 2.0;
    double single = additive ? Math.exp(hyper[layout.single()]) / d : 0;
    double paired = additive ? Math.exp(hyper[layout.paired()]) / pairs : 0;
    double joint = Math.exp(hyper[layout.joint()]);
    double noise = Math.exp(hyper[layout.noise()]);
    double variance = single * d + paired * pairs + joint;
    fill(hyper);

    Cholesky factor = new Cholesky(n);
    double[] sums = new double[n * (n - 1) / 2];
    double[] products = new double[sums.length];
    double[] doubles = new double[sums.length];
    int pair = 0;
    for (int i = 0; i < n; i++) {
      double[] row = new double[i + 1];
      for (int j = 0; j < i; j++, pair++) {
        double sum = 0;
        double squares = 0;
        double product = 1;
        for (int at = pair * d; at < pair * d + d; at++) {
          double k = kernels[at];
          sum += k;
          squares += k * k;
          product *= k;
        }
        sums[pair] = sum;
        doubles[pair] = 0.5 * (sum * sum - squares);
        products[pair] = product;
        row[j] = single * sum + paired * doubles[pair] + joint * product;
      }
      row[i] = variance + noise;
      if (!factor.append(row)) {
        return Double.POSITIVE_INFINITY;
      }
    }
    double[] weights = residualWeights(factor, values);
    double mean = weights[n];
    double[][] inverse = factor.inverse();

    double fit = 0;
    for (int i = 0; i < n; i++) {
      fit += weights[i] * (values[i] - mean);
    }
    double loss = 0.5 * (fit + factor.logDeterminant());

    Arrays.fill(gradient, 0);
    double bySingle = 0;
    double byPaired = 0;
    double byJoint = 0;
    double trace = 0;
    pair = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++, pair++) {
        // Both halves of the matrix: twice one half.
        double g = inverse[i][j] - weights[i] * weights[j];
        bySingle += g * sums[pair];
        byPaired += g * doubles[pair];
        double product = g * joint * products[pair];
        byJoint += product;
        double linear = g * single;
        double quadratic = g * paired;
        double sum = sums[pair];
        int at = pair * d;
        for (int axis = 0; axis < d; axis++, at++) {
          gradient[axis] +=
              linear * slopes[at] * kernels[at]
                  + quadratic * (sum - kernels[at]) * slopes[at] * kernels[at]
                  + product * slopes[at];
        }
      }
      trace += inverse[i][i] - weights[i] * weights[i];
    }
    if (additive) {
      gradient[layout.single()] = single * bySingle + 0.5 * trace * single * d;
      gradient[layout.paired()] = paired * byPaired + 0.5 * trace * paired * pairs;
    }
    gradient[layout.joint()] = byJoint + 0.5 * trace * joint;
    gradient[layout.noise()] = 0.5 * trace * noise;

    for (int at = 0; at < hyper.length; at++) {
      double away = (hyper[at] - layout.mean(at)) / layout.deviation(at);
      loss += 0.5 * away * away;
      gradient[at] += away / layout.deviation(at);
    }
    return loss;
  }

  /** Each axis's kernel for each pair, and its derivative by the log length scale, over itself. */
  private void fill(double[] hyper) {
    int d = layout.axes();
    for (int axis = 0; axis < d; axis++) {
      double length = Math.exp(hyper[axis]);
      if (layout.choice()[axis]) {
        double other = Math.exp(-1 / length);
        for (int at = axis; at < distances.length; at += d) {
          boolean same = distances[at] == 0;
          kernels[at] = same ? 1 : other;
          slopes[at] = same ? 0 : 1 / length;
        }
      } else {
        double rate = ROOT_FIVE / length;
        for (int at = axis; at < distances.length; at += d) {
          double size = rate * distances[at];
          double polynomial = 1 + size * (1 + size / 3);
          kernels[at] = polynomial * Math.exp(-size);
          slopes[at] = size * size / 3 * (1 + size) / polynomial;
        }
      }
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
