package io.orrery.tuner.surrogate;

/**
 * How much two places of the unit cube have to do with each other.
 *
 * <p>Each axis has a kernel of its own: Matérn with ν = 5/2 over the distance of numbers, and for
 * choices 1 for the same option and one smaller number for any two others. They are put together as
 * in "Additive Gaussian processes" (Duvenaud, Nickisch, Rasmussen, NIPS 2011): a weighted sum of
 * their mean (each parameter adds its own effect), of the mean of their products in pairs, and of
 * the product of all (everything depends on everything). How parameters interact is thus learnt,
 * instead of presumed: where effects add up, a hundred trials say as much about ten parameters as
 * they otherwise do about two.
 *
 * <p>Immutable.
 */
final class Kernel {
  private static final double ROOT_FIVE = Math.sqrt(5);
  private static final double THIRD = 1 / 3.0;

  private final boolean[] choice;

  /** √5 over the length scale; for choices the correlation of different options. */
  private final double[] rate;

  private final double single;
  private final double paired;
  private final double joint;
  private final double noise;

  /**
   * @param hyper as {@link Layout} has them
   */
  Kernel(Layout layout, double[] hyper) {
    int d = layout.axes();
    choice = layout.choice();
    rate = new double[d];
    for (int i = 0; i < d; i++) {
      double length = Math.exp(hyper[i]);
      rate[i] = choice[i] ? Math.exp(-1 / length) : ROOT_FIVE / length;
    }
    single = layout.additive() ? Math.exp(hyper[layout.single()]) / d : 0;
    paired = layout.additive() ? Math.exp(hyper[layout.paired()]) * 2 / (d * (d - 1.0)) : 0;
    joint = Math.exp(hyper[layout.joint()]);
    noise = Math.exp(hyper[layout.noise()]);
  }

  /** The variance at any place, without noise. */
  double variance() {
    int d = rate.length;
    return single * d + paired * d * (d - 1) / 2 + joint;
  }

  /** The variance of an observation about the function. */
  double noise() {
    return noise;
  }

  /** The covariance of the function at two places. */
  double at(double[] a, double[] b) {
    double sum = 0;
    double squares = 0;
    double product = 1;
    if (single == 0 && paired == 0) {
      double exponent = 0;
      for (int i = 0; i < rate.length; i++) {
        if (choice[i]) {
          product *= a[i] == b[i] ? 1 : rate[i];
        } else {
          double distance = rate[i] * Math.abs(a[i] - b[i]);
          exponent += distance;
          product *= 1 + distance * (1 + distance * THIRD);
        }
      }
      return joint * product * Math.exp(-exponent);
    }
    for (int i = 0; i < rate.length; i++) {
      double value = choice[i] ? (a[i] == b[i] ? 1 : rate[i]) : matern(rate[i] * (a[i] - b[i]));
      sum += value;
      squares += value * value;
      product *= value;
    }
    return single * sum + paired * 0.5 * (sum * sum - squares) + joint * product;
  }

  /**
   * The covariance at two places, with its derivatives by the numbers of the first.
   *
   * @param into receives a derivative for each axis from an offset on, 0 for choices
   */
  double at(double[] a, double[] b, double[] into, int offset) {
    return single == 0 && paired == 0 ? jointly(a, b, into, offset) : summed(a, b, into, offset);
  }

  private double jointly(double[] a, double[] b, double[] into, int offset) {
    double value = at(a, b);
    for (int i = 0; i < rate.length; i++) {
      into[offset + i] = choice[i] ? 0 : value * relativeSlope(i, a[i] - b[i]);
    }
    return value;
  }

  private double summed(double[] a, double[] b, double[] into, int offset) {
    double sum = 0;
    double squares = 0;
    double product = 1;
    for (int i = 0; i < rate.length; i++) {
      double value = choice[i] ? (a[i] == b[i] ? 1 : rate[i]) : matern(rate[i] * (a[i] - b[i]));
      into[offset + i] = value;
      sum += value;
      squares += value * value;
      product *= value;
    }
    for (int i = 0; i < rate.length; i++) {
      double value = into[offset + i];
      double outer = single * value + paired * (sum - value) * value + joint * product;
      into[offset + i] = choice[i] ? 0 : outer * relativeSlope(i, a[i] - b[i]);
    }
    return single * sum + paired * 0.5 * (sum * sum - squares) + joint * product;
  }

  /**
   * The derivative of an axis's kernel over its value. With s = |t|, that of (1 + s + s²/3) e^-s by
   * t is -(t/3) (1 + s) e^-s.
   */
  private double relativeSlope(int axis, double difference) {
    double distance = rate[axis] * difference;
    double size = Math.abs(distance);
    return -distance * THIRD * (1 + size) / (1 + size * (1 + size * THIRD)) * rate[axis];
  }

  private static double matern(double distance) {
    double size = Math.abs(distance);
    return (1 + size * (1 + size * THIRD)) * Math.exp(-size);
  }
}
