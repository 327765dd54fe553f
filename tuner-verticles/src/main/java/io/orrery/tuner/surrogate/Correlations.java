package io.orrery.tuner.surrogate;

import io.orrery.tuner.math.Cholesky;
import io.orrery.tuner.math.Decay;
import java.util.Arrays;

/**
 * The correlations of the places of many pairs.
 *
 * <p>Each axis has a kernel of its own: Matérn with ν = 5/2 over the distance of numbers, and for
 * choices 1 for the same option and one smaller number for any two others. They are put together as
 * in "Additive Gaussian processes" (Duvenaud, Nickisch, Rasmussen, NIPS 2011): a weighted sum of
 * their mean (each parameter adds its own effect), of the mean of their products in pairs, and of
 * the product of all (everything depends on everything). How parameters interact is thus learnt,
 * instead of presumed: where effects add up, a hundred trials say as much about ten parameters as
 * they otherwise do about two.
 *
 * <p>It goes axis by axis, and inner loops run along the pairs, without calls or branches, so that
 * the compiler makes vectors of them. Not thread safe: what it returns lasts until it begins anew.
 */
final class Correlations {
  private static final double THIRD = 1 / 3.0;

  private final Layout layout;

  /** For each pair: what is yet to decay, and the product of the axes' kernels. */
  private double[] sizes = new double[0];

  private double[] products = new double[0];

  /** The axes' kernels, their sums and those of their squares; not used when all is a product. */
  private final double[][] kernels;

  private double[] sums = new double[0];
  private double[] squares = new double[0];
  private int pairs;

  Correlations(Layout layout) {
    this.layout = layout;
    kernels = new double[layout.additive() ? layout.axes() : 0][0];
  }

  /** The distances along an axis between the places of the pairs. */
  @FunctionalInterface
  interface Distances {
    /** For each pair 0 or more; 0 and 1 for options that are the same, and that are not. */
    double[] along(int axis);
  }

  /** Computes all axes' kernels of so many pairs. */
  void compute(Hyperparameters hyper, int pairs, Distances distances) {
    begin(pairs);
    for (int axis = 0; axis < layout.axes(); axis++) {
      if (layout.additive()) {
        Arrays.fill(sizes, 0, pairs, 0);
        Arrays.fill(kernels[axis], 0, pairs, 1);
        multiply(axis, hyper.rates()[axis], distances.along(axis), kernels[axis]);
        decay(kernels[axis]);
        gather(kernels[axis], sums, squares, products, pairs);
      } else {
        multiply(axis, hyper.rates()[axis], distances.along(axis), products);
      }
    }
    if (!layout.additive()) {
      decay(products);
    }
  }

  private void begin(int count) {
    pairs = count;
    if (products.length < count) {
      int room = Math.max(count, products.length * 3 / 2);
      sizes = new double[room];
      products = new double[room];
      if (layout.additive()) {
        sums = new double[room];
        squares = new double[room];
        Arrays.setAll(kernels, axis -> new double[room]);
      }
    }
    Arrays.fill(products, 0, count, 1);
    if (layout.additive()) {
      Arrays.fill(sums, 0, count, 0);
      Arrays.fill(squares, 0, count, 0);
    } else {
      Arrays.fill(sizes, 0, count, 0);
    }
  }

  /** Multiplies with the polynomial of an axis's kernel, and adds up what is yet to decay. */
  private void multiply(int axis, double rate, double[] distances, double[] into) {
    if (layout.choice()[axis]) {
      add(rate, distances, sizes, pairs);
    } else {
      multiply(rate, distances, sizes, into, pairs);
    }
  }

  private static void add(double rate, double[] distances, double[] sizes, int pairs) {
    for (int i = 0; i < pairs; i++) {
      sizes[i] += rate * distances[i];
    }
  }

  private static void multiply(
      double rate, double[] distances, double[] sizes, double[] into, int pairs) {
    for (int i = 0; i < pairs; i++) {
      double size = rate * distances[i];
      sizes[i] += size;
      into[i] *= 1 + size * (1 + size * THIRD);
    }
  }

  private void decay(double[] into) {
    Decay.of(sizes, pairs);
    multiply(sizes, into, pairs);
  }

  private static void multiply(double[] factors, double[] into, int pairs) {
    for (int i = 0; i < pairs; i++) {
      into[i] *= factors[i];
    }
  }

  private static void gather(
      double[] kernels, double[] sums, double[] squares, double[] products, int pairs) {
    for (int i = 0; i < pairs; i++) {
      sums[i] += kernels[i];
      squares[i] += kernels[i] * kernels[i];
      products[i] *= kernels[i];
    }
  }

  /**
   * The covariance of the function at the places of each pair.
   *
   * @param into receives them
   */
  void covariances(Hyperparameters hyper, double[] into) {
    if (layout.additive()) {
      sum(hyper.single(), 0.5 * hyper.paired(), sums, squares, into, pairs);
      add(hyper.joint(), products, into, pairs);
    } else {
      scale(hyper.joint(), products, into, pairs);
    }
  }

  private static void scale(double factor, double[] from, double[] into, int pairs) {
    for (int i = 0; i < pairs; i++) {
      into[i] = factor * from[i];
    }
  }

  private static void sum(
      double single, double half, double[] sums, double[] squares, double[] into, int pairs) {
    for (int i = 0; i < pairs; i++) {
      into[i] = single * sums[i] + half * (sums[i] * sums[i] - squares[i]);
    }
  }

  /**
   * The part of each covariance that an axis's kernel is a factor of.
   *
   * @param into receives it
   */
  void involving(int axis, Hyperparameters hyper, double[] into) {
    if (layout.additive()) {
      involving(hyper.single(), hyper.paired(), sums, kernels[axis], into, pairs);
      add(hyper.joint(), products, into, pairs);
    } else {
      scale(hyper.joint(), products, into, pairs);
    }
  }

  private static void involving(
      double single, double paired, double[] sums, double[] kernels, double[] into, int pairs) {
    for (int i = 0; i < pairs; i++) {
      double kernel = kernels[i];
      into[i] = (single + paired * (sums[i] - kernel)) * kernel;
    }
  }

  /** For weights of the pairs, the sum of the axes' kernels; only where they add up. */
  double ofSums(double[] weights) {
    return Cholesky.dot(weights, sums, pairs);
  }

  /** For weights of the pairs, the sum of the products of any two axes' kernels; likewise. */
  double ofPairs(double[] weights) {
    double sum = 0;
    for (int i = 0; i < pairs; i++) {
      sum += weights[i] * 0.5 * (sums[i] * sums[i] - squares[i]);
    }
    return sum;
  }

  /** For weights of the pairs, the sum of the products of all axes' kernels. */
  double ofProducts(double[] weights) {
    return Cholesky.dot(weights, products, pairs);
  }
}
