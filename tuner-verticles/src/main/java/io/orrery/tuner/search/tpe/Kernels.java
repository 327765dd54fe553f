package io.orrery.tuner.search.tpe;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.tpe.Observations.Observation;
import io.orrery.tuner.search.tpe.UnitAxis.Options;
import io.orrery.tuner.search.tpe.UnitAxis.Scale;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A density over all parameters together: a mixture of one product kernel at each observation, and
 * the space's own distribution as one more.
 *
 * <p>On a scale a kernel is normal, as wide for all observations; for a choice it stays with a
 * probability and goes to any other option alike (Aitchison, Aitken: "Multivariate binary
 * discrimination by the kernel method", Biometrika 63, 1976). Where an observation lacks an axis,
 * as one of another branch does, its kernel is the space's own distribution there. The mass that
 * normal kernels have beyond the bounds is left out of account, since only two mixtures of equal
 * widths are compared.
 */
final class Kernels {
  /** A kernel that is lower than the highest by more than this, as a logarithm, is left out. */
  private static final double NEGLIGIBLE = 12;

  /** So many kernels are looked at before the sum is asked for. */
  private static final int BLOCK = 32;

  private static final int MOST_REJECTIONS = 32;
  private static final double LOG_TWO = 0.6931471805599453;
  private static final double LOG_2_E = 1 / LOG_TWO;
  private static final double P2 = 1.0 / 2;
  private static final double P3 = P2 / 3;
  private static final double P4 = P3 / 4;
  private static final double P5 = P4 / 5;
  private static final double P6 = P5 / 6;
  private static final double P7 = P6 / 7;
  private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
  private static final double ROOT_HALF = Math.sqrt(0.5);

  private final UnitAxis[] axes;
  private final double[] widths;
  private final double leaves;
  private final int count;

  /** By axis and then by observation; NaN where an observation lacks the axis. */
  private final double[][] centres;

  /** By axis, for scales: what a distance is multiplied with, one over the width and √2. */
  private final double[] perWidth;

  /** Whether it is a scale that no observation lacks. */
  private final boolean[] plain;

  /** The scales whose own distribution is not even: only there the prior has to be asked. */
  private final int[] uneven;

  /** By axis, for choices: what a kernel is at its own option, and at others, as logarithms. */
  private final double[] stays;

  private final double[] goes;

  private final double[] cumulative;
  private final double total;
  private final double[] logHeights;
  private final double logPriorShare;
  private final double[] exponents;

  /**
   * Lays kernels over observations.
   *
   * @param widths of the kernels by axis; not used for choices
   * @param leaves how likely a kernel leaves the option of a choice, from 0 to 1
   * @param weights of the observations
   * @param priorWeight of the space's own distribution, above 0
   */
  Kernels(
      List<UnitAxis> axes,
      List<Observation> observations,
      double[] weights,
      double[] widths,
      double leaves,
      double priorWeight) {
    this.axes = axes.toArray(UnitAxis[]::new);
    this.widths = widths;
    this.leaves = leaves;
    count = observations.size();
    centres = new double[axes.size()][count];
    perWidth = new double[axes.size()];
    plain = new boolean[axes.size()];
    uneven =
        IntStream.range(0, axes.size())
            .filter(a -> axes.get(a) instanceof Scale scale && !scale.bounded())
            .toArray();
    stays = new double[axes.size()];
    goes = new double[axes.size()];
    cumulative = new double[count];
    logHeights = new double[count];
    exponents = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
      cumulative[i] = sum;
    }
    total = sum + priorWeight;
    logPriorShare = Math.log(priorWeight / total);
    for (int i = 0; i < count; i++) {
      boolean asBefore = i > 0 && weights[i] == weights[i - 1];
      logHeights[i] = asBefore ? logHeights[i - 1] : Math.log(weights[i] / total);
    }
    double[][] points = new double[count][];
    for (int i = 0; i < count; i++) {
      points[i] = observations.get(i).point();
    }
    double logVolume = 0;
    for (int a = 0; a < axes.size(); a++) {
      logVolume += place(a, points);
    }
    for (int i = 0; i < count; i++) {
      logHeights[i] -= logVolume;
    }
  }

  /** Lays the kernels along an axis; what all of them lose in height, as a logarithm. */
  private double place(int a, double[][] points) {
    UnitAxis axis = axes[a];
    int index = axis.axis().index();
    double[] column = centres[a];
    boolean scale = axis instanceof Scale;
    double logWidth = scale ? Math.log(widths[a]) + LOG_ROOT_TWO_PI : 0;
    perWidth[a] = scale ? ROOT_HALF / widths[a] : 0;
    plain[a] = scale;
    if (axis instanceof Options(var same, int options) && options > 1) {
      // In units of the uniform distribution, so that the prior's kernel is 1.
      stays[a] = Math.log((1 - leaves) * options);
      goes[a] = Math.log(leaves / (options - 1) * options);
    }
    for (int i = 0; i < count; i++) {
      column[i] = points[i][index];
      if (Double.isNaN(column[i])) {
        plain[a] = false;
        logHeights[i] += logWidth;
      }
    }
    return logWidth;
  }

  /** Draws a point, its coordinates in the order of the axes. */
  void draw(Rng rng, double[] point) {
    double share = rng.nextDouble() * total;
    int kernel = count == 0 || share >= cumulative[count - 1] ? -1 : kernel(share);
    for (int a = 0; a < point.length; a++) {
      double centre = kernel < 0 ? Double.NaN : centres[a][kernel];
      point[a] = Double.isNaN(centre) ? axes[a].draw(rng) : near(a, centre, rng);
    }
  }

  /**
   * Draws from a kernel; by instanceof, since a switch over patterns takes several times as long.
   */
  private double near(int a, double centre, Rng rng) {
    if (axes[a] instanceof Options(var axis, int options)) {
      return option(centre, options, rng);
    }
    Scale scale = (Scale) axes[a];
    return scale.snapped(
        scale.bounded()
            ? between(centre, widths[a], rng)
            : centre + widths[a] * rng.nextGaussian());
  }

  private int kernel(double share) {
    int found = Arrays.binarySearch(cumulative, share);
    return Math.min(found >= 0 ? found + 1 : -found - 1, count - 1);
  }

  private double option(double centre, int options, Rng rng) {
    if (options == 1 || rng.nextDouble() >= leaves) {
      return centre;
    }
    int other = rng.nextInt(options - 1);
    return other >= centre ? other + 1 : other;
  }

  private static double between(double centre, double width, Rng rng) {
    double drawn = centre;
    for (int i = 0; i < MOST_REJECTIONS; i++) {
      drawn = centre + width * rng.nextGaussian();
      if (drawn >= 0 && drawn <= 1) {
        return drawn;
      }
    }
    return Math.clamp(drawn, 0, 1);
  }

  /** What {@link #log} is at least. */
  double least(double[] point) {
    double prior = logPriorShare;
    for (int a : uneven) {
      prior += ((Scale) axes[a]).logPrior(point[a]);
    }
    return prior;
  }

  /** The logarithm of the density at a point, up to a constant that all mixtures share. */
  double log(double[] point) {
    return log(point, Double.POSITIVE_INFINITY);
  }

  /**
   * The same, or something lower that is above a limit: as many kernels are looked at, in their
   * order, as it takes to get there.
   */
  double log(double[] point, double enough) {
    double most = least(point);
    double sum = 1;
    double log = most;
    for (int from = 0; from < count && log <= enough; from += BLOCK) {
      int to = Math.min(from + BLOCK, count);
      exponents(point, from, to);
      double before = most;
      for (int i = from; i < to; i++) {
        most = Math.max(most, exponents[i]);
      }
      sum *= Math.exp(before - most);
      for (int i = from; i < to; i++) {
        double relative = exponents[i] - most;
        if (relative > -NEGLIGIBLE) {
          sum += exp(relative);
        }
      }
      log = most + Math.log(sum);
    }
    return log;
  }

  /** What some of the kernels are at a point, as logarithms. */
  private void exponents(double[] point, int from, int to) {
    System.arraycopy(logHeights, from, exponents, from, to - from);
    int a = 0;
    while (a < point.length) {
      if (plain[a] && a + 1 < point.length && plain[a + 1]) {
        measureTwo(a, point[a], point[a + 1], from, to);
        a += 2;
      } else {
        measure(a, point[a], from, to);
        a++;
      }
    }
  }

  /** Along an axis and the next one in one go: most points have only such axes. */
  private void measureTwo(int a, double at, double atNext, int from, int to) {
    double[] column = centres[a];
    double[] next = centres[a + 1];
    double unit = perWidth[a];
    double unitNext = perWidth[a + 1];
    for (int i = from; i < to; i++) {
      double distance = (column[i] - at) * unit;
      double other = (next[i] - atNext) * unitNext;
      exponents[i] -= distance * distance + other * other;
    }
  }

  private void measure(int a, double at, int from, int to) {
    double[] column = centres[a];
    if (!(axes[a] instanceof Scale scale)) {
      for (int i = from; i < to; i++) {
        if (!Double.isNaN(column[i])) {
          exponents[i] += column[i] == at ? stays[a] : goes[a];
        }
      }
    } else if (plain[a]) {
      double unit = perWidth[a];
      for (int i = from; i < to; i++) {
        double distance = (column[i] - at) * unit;
        exponents[i] -= distance * distance;
      }
    } else {
      double lacking = scale.logPrior(at);
      for (int i = from; i < to; i++) {
        double distance = (column[i] - at) * perWidth[a];
        exponents[i] += Double.isNaN(distance) ? lacking : -distance * distance;
      }
    }
  }

  /**
   * The exponential of a number from -{@value #NEGLIGIBLE} to 0, to eight digits. It is most of
   * what a density costs, and the exact one takes three times as long.
   */
  private static double exp(double x) {
    double doublings = x * LOG_2_E;
    long whole = (long) (doublings - 0.5);
    double r = (doublings - whole) * LOG_TWO;
    double series = 1 + r * (1 + r * (P2 + r * (P3 + r * (P4 + r * (P5 + r * (P6 + r * P7))))));
    return Double.longBitsToDouble((whole + Double.MAX_EXPONENT) << 52) * series;
  }
}
