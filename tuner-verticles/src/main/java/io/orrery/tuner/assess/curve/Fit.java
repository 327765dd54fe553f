package io.orrery.tuner.assess.curve;

/**
 * A family that is laid through the points of a curve by least squares. The shape parameters are
 * searched on a grid, then around its best point with steps that halve; all others follow from
 * them.
 */
final class Fit {
  private static final int MOST_STEPS = 40;

  /** The factor between two shape parameters below which curves do not differ to be seen. */
  private static final double FINEST = 1.002;

  /** To all sides and, since what one parameter takes away the other may give back, askew. */
  private static final int[][] WAYS = {
    {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}
  };

  private final Family family;
  private final double[] x;
  private final double[] y;

  /** In logarithms where the family asks for it. */
  private final double[] target;

  private final double[] form;

  private double error = Double.POSITIVE_INFINITY;
  private double s = 1;
  private double t = 1;
  private double offset;
  private double scale;
  private double power;

  /**
   * @param x from 1, increasing
   * @param y positive
   */
  Fit(Family family, double[] x, double[] y) {
    this.family = family;
    this.x = x;
    this.y = y;
    this.form = new double[x.length];
    this.target = y.clone();
    if (family.kind() == Family.Kind.LOGARITHM) {
      for (int i = 0; i < y.length; i++) {
        target[i] = Math.log(y[i]);
      }
    }
    for (double a : family.first().grid()) {
      for (double b : family.second().grid()) {
        tryShape(a, b);
      }
    }
    refine(family.first().step(), family.second().step());
  }

  /** Pattern search: to the best neighbour while there is a better one, then with half the step. */
  private void refine(double stepOfS, double stepOfT) {
    double a = stepOfS;
    double b = stepOfT;
    for (int i = 0; i < MOST_STEPS && (a > FINEST || b > FINEST); i++) {
      double before = error;
      double atS = s;
      double atT = t;
      for (int[] way : WAYS) {
        if ((way[0] == 0 || stepOfS > 1) && (way[1] == 0 || stepOfT > 1)) {
          tryShape(atS * Math.pow(a, way[0]), atT * Math.pow(b, way[1]));
        }
      }
      if (error >= before) {
        a = Math.sqrt(a);
        b = Math.sqrt(b);
      }
    }
  }

  /** The sum of the squared distances. */
  double error() {
    return error;
  }

  /** The value that the curve has further on. */
  double at(double later) {
    return value(later, family.form(later, s, t), offset, scale, power);
  }

  private double value(double at, double f, double a, double b, double c) {
    return switch (family.kind()) {
      case OFFSET, ZERO -> a + b * f;
      case LOGARITHM -> Math.exp(a + b * f + c * Math.log(at));
    };
  }

  private void tryShape(double newS, double newT) {
    for (int i = 0; i < x.length; i++) {
      form[i] = family.form(x[i], newS, newT);
    }
    double[] linear =
        switch (family.kind()) {
          case OFFSET -> line();
          case ZERO -> ray();
          case LOGARITHM -> plane();
        };
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      double distance = value(x[i], form[i], linear[0], linear[1], linear[2]) - y[i];
      sum += distance * distance;
    }
    if (sum < error) {
      error = sum;
      s = newS;
      t = newT;
      offset = linear[0];
      scale = linear[1];
      power = linear[2];
    }
  }

  private double[] ray() {
    double ff = 0;
    double fy = 0;
    for (int i = 0; i < form.length; i++) {
      ff += form[i] * form[i];
      fy += form[i] * target[i];
    }
    return new double[] {0, ff == 0 ? 0 : fy / ff, 0};
  }

  private double[] line() {
    double b = covariance(form, target) / covariance(form, form);
    b = Double.isFinite(b) ? b : 0;
    return new double[] {mean(target) - b * mean(form), b, 0};
  }

  /** Two terms and an offset: the normal equations of what is left of the means. */
  private double[] plane() {
    double[] log = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      log[i] = Math.log(x[i]);
    }
    double ff = covariance(form, form);
    double gg = covariance(log, log);
    double fg = covariance(form, log);
    double fy = covariance(form, target);
    double gy = covariance(log, target);
    double determinant = ff * gg - fg * fg;
    if (!(determinant > 1e-12 * ff * gg)) {
      return line();
    }
    double b = (fy * gg - gy * fg) / determinant;
    double c = (gy * ff - fy * fg) / determinant;
    return new double[] {mean(target) - b * mean(form) - c * mean(log), b, c};
  }

  private static double mean(double[] numbers) {
    double sum = 0;
    for (double number : numbers) {
      sum += number;
    }
    return sum / numbers.length;
  }

  private static double covariance(double[] one, double[] other) {
    double meanOfOne = mean(one);
    double meanOfOther = mean(other);
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += (one[i] - meanOfOne) * (other[i] - meanOfOther);
    }
    return sum / one.length;
  }
}
