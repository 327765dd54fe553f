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
  private static final double THIRD = 1 / 3.0;

  /** How far apart two slopes are taken for the curvature between them. */
  private static final double ASIDE = 0.1;

  private final Layout layout;
  private final double[] values;

  /** For each pair of observations (i, j < i), in rows, the distance along each axis. */
  private final double[] distances;

  /** The kernel of each axis for each pair; not used when all is a product. */
  private final double[] kernels;

  /** Its derivative by the logarithm of the length scale, over itself. */
  private final double[] slopes;

  /** For each pair the sum of the axes' kernels, that of their products in pairs, and of all. */
  private final double[] sums;

  private final double[] twos;
  private final double[] products;

  Evidence(Layout layout, List<double[]> places, double[] values) {
    this.layout = layout;
    this.values = values;
    int n = values.length;
    int d = layout.axes();
    distances = new double[n * (n - 1) / 2 * d];
    kernels = new double[layout.additive() ? distances.length : 0];
    slopes = new double[distances.length];
    sums = new double[n * (n - 1) / 2];
    twos = new double[sums.length];
    products = new double[sums.length];
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
    Shares shares = shares(hyper);
    if (layout.additive()) {
      fillEach(hyper);
    } else {
      fillProducts(hyper);
    }
    Cholesky factor = new Cholesky(n);
    int pair = 0;
    for (int i = 0; i < n; i++) {
      double[] row = new double[i + 1];
      for (int j = 0; j < i; j++, pair++) {
        row[j] =
            shares.single * sums[pair] + shares.paired * twos[pair] + shares.joint * products[pair];
      }
      row[i] = shares.variance + shares.noise;
      if (!factor.append(row)) {
        return Double.POSITIVE_INFINITY;
      }
    }
    double[] weights = residualWeights(factor, values);
    double loss = 0.5 * factor.logDeterminant();
    for (int i = 0; i < n; i++) {
      loss += 0.5 * weights[i] * (values[i] - weights[n]);
    }
    slope(shares, weights, factor.inverse(), gradient);
    for (int at = 0; at < hyper.length; at++) {
      double away = (hyper[at] - layout.mean(at)) / layout.deviation(at);
      loss += 0.5 * away * away;
      gradient[at] += away / layout.deviation(at);
    }
    return loss;
  }

  /** The kernel's weights for a sum, a sum over pairs and a product of the axes' kernels. */
  private record Shares(
      double single, double paired, double joint, double noise, double variance) {}

  private Shares shares(double[] hyper) {
    int d = layout.axes();
    double single = layout.additive() ? Math.exp(hyper[layout.single()]) : 0;
    double paired = layout.additive() ? Math.exp(hyper[layout.paired()]) : 0;
    double joint = Math.exp(hyper[layout.joint()]);
    return new Shares(
        single / d,
        layout.additive() ? paired * 2 / (d * (d - 1.0)) : 0,
        joint,
        Math.exp(hyper[layout.noise()]),
        single + paired + joint);
  }

  /** The likelihood's part of the gradient: half the trace of (A⁻¹ - weights weightsᵀ) dA. */
  private void slope(Shares shares, double[] weights, double[][] inverse, double[] gradient) {
    int n = values.length;
    int d = layout.axes();
    Arrays.fill(gradient, 0);
    double bySingle = 0;
    double byPaired = 0;
    double byJoint = 0;
    double trace = 0;
    int pair = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++, pair++) {
        // Both halves of the matrix: twice one half.
        double share = inverse[i][j] - weights[i] * weights[j];
        double product = share * products[pair];
        bySingle += share * sums[pair];
        byPaired += share * twos[pair];
        byJoint += product;
        addLengths(shares, pair, share, shares.joint * product, gradient);
      }
      trace += inverse[i][i] - weights[i] * weights[i];
    }
    if (layout.additive()) {
      gradient[layout.single()] = shares.single * (bySingle + 0.5 * trace * d);
      gradient[layout.paired()] = shares.paired * (byPaired + 0.25 * trace * d * (d - 1));
    }
    gradient[layout.joint()] = shares.joint * (byJoint + 0.5 * trace);
    gradient[layout.noise()] = 0.5 * trace * shares.noise;
  }

  private void addLengths(
      Shares shares, int pair, double share, double product, double[] gradient) {
    int d = layout.axes();
    int at = pair * d;
    if (!layout.additive()) {
      for (int axis = 0; axis < d; axis++, at++) {
        gradient[axis] += product * slopes[at];
      }
      return;
    }
    double linear = share * shares.single;
    double quadratic = share * shares.paired;
    for (int axis = 0; axis < d; axis++, at++) {
      double kernel = kernels[at];
      gradient[axis] +=
          (linear * kernel + quadratic * (sums[pair] - kernel) * kernel + product) * slopes[at];
    }
  }

  /** Only the products, which takes a single exponential for each pair. */
  private void fillProducts(double[] hyper) {
    int d = layout.axes();
    double[] rates = rates(hyper);
    for (int pair = 0; pair < products.length; pair++) {
      double product = 1;
      double exponent = 0;
      int at = pair * d;
      for (int axis = 0; axis < d; axis++, at++) {
        double size = rates[axis] * distances[at];
        double polynomial = layout.choice()[axis] ? 1 : 1 + size * (1 + size * THIRD);
        slopes[at] = slope(axis, size, polynomial);
        product *= polynomial;
        exponent += size;
      }
      products[pair] = product * Math.exp(-exponent);
    }
  }

  /** Each axis's kernel, and what is made of them. */
  private void fillEach(double[] hyper) {
    int d = layout.axes();
    double[] rates = rates(hyper);
    for (int pair = 0; pair < products.length; pair++) {
      double sum = 0;
      double squares = 0;
      double product = 1;
      int at = pair * d;
      for (int axis = 0; axis < d; axis++, at++) {
        double size = rates[axis] * distances[at];
        double polynomial = layout.choice()[axis] ? 1 : 1 + size * (1 + size * THIRD);
        double kernel = polynomial * Math.exp(-size);
        slopes[at] = slope(axis, size, polynomial);
        kernels[at] = kernel;
        sum += kernel;
        squares += kernel * kernel;
        product *= kernel;
      }
      sums[pair] = sum;
      twos[pair] = 0.5 * (sum * sum - squares);
      products[pair] = product;
    }
  }

  private double slope(int axis, double size, double polynomial) {
    return layout.choice()[axis] ? size : size * size * THIRD * (1 + size) / polynomial;
  }

  /** What distances are multiplied with: √5 over the length scale, 1 over it for choices. */
  private double[] rates(double[] hyper) {
    double[] rates = new double[layout.axes()];
    Arrays.setAll(rates, axis -> (layout.choice()[axis] ? 1 : ROOT_FIVE) / Math.exp(hyper[axis]));
    return rates;
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
