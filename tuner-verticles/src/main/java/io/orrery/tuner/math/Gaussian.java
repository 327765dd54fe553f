package io.orrery.tuner.math;

/** The standard normal distribution, to nearly full double precision. */
public final class Gaussian {
  private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  /** Where the series of the middle hands over to the continued fraction of the tail. */
  private static final double TAIL = 2.5;

  /** Beyond it the distribution function is below the smallest positive double. */
  private static final double VANISHED = 38.6;

  private static final double[] CENTRE_ABOVE = {
    2509.0809287301227,
    33430.57558358813,
    67265.7709270087,
    45921.95393154987,
    13731.69376550946,
    1971.5909503065513,
    133.14166789178438,
    3.3871328727963665
  };
  private static final double[] CENTRE_BELOW = {
    5226.495278852854,
    28729.085735721943,
    39307.89580009271,
    21213.794301586597,
    5394.196021424751,
    687.1870074920579,
    42.31333070160091,
    1
  };
  private static final double[] NEAR_ABOVE = {
    0.0007745450142783414,
    0.022723844989269184,
    0.2417807251774506,
    1.2704582524523684,
    3.6478483247632045,
    5.769497221460691,
    4.630337846156546,
    1.4234371107496835
  };
  private static final double[] NEAR_BELOW = {
    1.0507500716444169e-9,
    0.0005475938084995345,
    0.015198666563616457,
    0.14810397642748008,
    0.6897673349851,
    1.6763848301838038,
    2.053191626637759,
    1
  };
  private static final double[] FAR_ABOVE = {
    2.0103343992922881e-7,
    2.7115555687434876e-5,
    0.0012426609473880784,
    0.026532189526576124,
    0.29656057182850487,
    1.7848265399172913,
    5.463784911164114,
    6.657904643501103
  };
  private static final double[] FAR_BELOW = {
    2.0442631033899397e-15,
    1.421511758316446e-7,
    1.8463183175100548e-5,
    0.0007868691311456133,
    0.014875361290850615,
    0.1369298809227358,
    0.599832206555888,
    1
  };

  private Gaussian() {}

  /** The logarithm of the density at {@code x}. */
  public static double logDensity(double x) {
    return -0.5 * x * x - LOG_SQRT_TWO_PI;
  }

  /**
   * The distribution function. The middle is the power series of Marsaglia ("Evaluating the normal
   * distribution", 2004), the tails are Laplace's continued fraction, so that a small probability
   * keeps its relative precision.
   */
  public static double cdf(double x) {
    if (x < -TAIL) {
      return upperTail(-x);
    }
    if (x > TAIL) {
      return 1 - upperTail(x);
    }
    double square = x * x;
    double term = x;
    double sum = x;
    for (int odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
      term *= square / odd;
      sum += term;
    }
    return 0.5 + sum * Math.exp(logDensity(x));
  }

  private static double upperTail(double x) {
    if (x > VANISHED) {
      return 0;
    }
    double fraction = x;
    for (int depth = 120; depth > 0; depth--) {
      fraction = x + depth / fraction;
    }
    return Math.exp(logDensity(x)) / fraction;
  }

  /**
   * The inverse of {@link #cdf}: Wichura's rational approximations (algorithm AS 241, Applied
   * Statistics 37, 1988), relative error about 1e-16.
   *
   * @param p from 0 (negative infinity) to 1 (infinity)
   */
  public static double quantile(double p) {
    if (p <= 0 || p >= 1) {
      return p <= 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double fromCentre = p - 0.5;
    if (Math.abs(fromCentre) <= 0.425) {
      double r = 0.180625 - fromCentre * fromCentre;
      return fromCentre * horner(CENTRE_ABOVE, r) / horner(CENTRE_BELOW, r);
    }
    double r = Math.sqrt(-Math.log(fromCentre < 0 ? p : 1 - p));
    double size =
        r <= 5
            ? horner(NEAR_ABOVE, r - 1.6) / horner(NEAR_BELOW, r - 1.6)
            : horner(FAR_ABOVE, r - 5) / horner(FAR_BELOW, r - 5);
    return Math.copySign(size, fromCentre);
  }

  private static double horner(double[] coefficients, double x) {
    double value = 0;
    for (double coefficient : coefficients) {
      value = value * x + coefficient;
    }
    return value;
  }
}
