package io.orrery.tuner.assess.curve;

/**
 * The parametric forms that learning curves are found to have (table 1 of Domhan, Springenberg,
 * Hutter: "Speeding up automatic hyperparameter optimization of deep neural networks by
 * extrapolation of learning curves", IJCAI 2015), which NNI fits as well.
 *
 * <p>All but one can be written as A + B f(x; s, t) with at most two shape parameters s and t, for
 * which A and B follow in closed form ("variable projection": Golub, Pereyra, 1973). Vapor pressure
 * becomes so when its logarithm is taken and log x is a second term. Of the twelve names of the
 * paper three are others in different letters, and not fitted twice: exp4 and Janoschek are
 * Weibull's curve, log power is Hill's.
 */
enum Family {
  LINEAR(Kind.OFFSET, Scale.NONE, Scale.NONE) {
    @Override
    double form(double x, double s, double t) {
      return x;
    }
  },
  LOG_LINEAR(Kind.OFFSET, Scale.NONE, Scale.NONE) {
    @Override
    double form(double x, double s, double t) {
      return Math.log(x);
    }
  },
  ILOG2(Kind.OFFSET, Scale.NONE, Scale.NONE) {
    @Override
    double form(double x, double s, double t) {
      return 1 / Math.log(x + 1);
    }
  },
  VAPOR_PRESSURE(Kind.LOGARITHM, Scale.NONE, Scale.NONE) {
    @Override
    double form(double x, double s, double t) {
      return 1 / x;
    }
  },
  POW3(Kind.OFFSET, Scale.DECAY, Scale.NONE) {
    @Override
    double form(double x, double s, double t) {
      return Math.pow(x, -s);
    }
  },
  POW4(Kind.OFFSET, Scale.DECAY, Scale.SHIFT) {
    @Override
    double form(double x, double s, double t) {
      return Math.pow(x + t, -s);
    }
  },
  HILL(Kind.ZERO, Scale.STEEPNESS, Scale.DURATION) {
    @Override
    double form(double x, double s, double t) {
      return 1 / (1 + Math.pow(t / x, s));
    }
  },
  MMF(Kind.OFFSET, Scale.STEEPNESS, Scale.DURATION) {
    @Override
    double form(double x, double s, double t) {
      return 1 / (1 + Math.pow(x / t, s));
    }
  },
  WEIBULL(Kind.OFFSET, Scale.STEEPNESS, Scale.DURATION) {
    @Override
    double form(double x, double s, double t) {
      return Math.exp(-Math.pow(x / t, s));
    }
  };

  /** A rule by which values follow from the form. */
  enum Kind {
    /** y = A + B f. */
    OFFSET,
    /** y = B f: nothing at first. */
    ZERO,
    /** log y = A + B f + C log x. */
    LOGARITHM
  }

  /** The range in which a shape parameter is looked for, on a logarithmic scale. */
  enum Scale {
    /** Of a parameter that a family does not have. */
    NONE(1, 1),
    DECAY(0.05, 5),
    STEEPNESS(0.1, 5),
    SHIFT(0.1, 50),
    DURATION(0.5, 200);

    private static final int VALUES = 10;

    private final double low;
    private final double high;

    Scale(double low, double high) {
      this.low = low;
      this.high = high;
    }

    boolean exists() {
      return high > low;
    }

    /** The factor from one value of the grid to the next. */
    double step() {
      return Math.pow(high / low, 1.0 / (VALUES - 1));
    }

    double[] grid() {
      double[] grid = new double[exists() ? VALUES : 1];
      for (int i = 0; i < grid.length; i++) {
        grid[i] = low * Math.pow(step(), i);
      }
      return grid;
    }
  }

  private final Kind kind;
  private final Scale first;
  private final Scale second;

  /**
   * @param first of s
   * @param second of t
   */
  Family(Kind kind, Scale first, Scale second) {
    this.kind = kind;
    this.first = first;
    this.second = second;
  }

  Kind kind() {
    return kind;
  }

  Scale first() {
    return first;
  }

  Scale second() {
    return second;
  }

  /** How many numbers describe a curve of this family. */
  int parameters() {
    int shape = (first.exists() ? 1 : 0) + (second.exists() ? 1 : 0);
    return shape
        + switch (kind) {
          case ZERO -> 1;
          case OFFSET -> 2;
          case LOGARITHM -> 3;
        };
  }

  /**
   * The form.
   *
   * @param x from 1
   * @param s the first shape parameter, positive
   * @param t the second one, positive
   */
  abstract double form(double x, double s, double t);
}
