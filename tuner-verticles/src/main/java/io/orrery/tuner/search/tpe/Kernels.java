package io.orrery.tuner.search.tpe;

import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.tpe.Observations.Observation;
import io.orrery.tuner.search.tpe.UnitAxis.Options;
import io.orrery.tuner.search.tpe.UnitAxis.Scale;
import java.util.Arrays;
import java.util.List;

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
  private static final double NEGLIGIBLE = 14;

  private static final int MOST_REJECTIONS = 32;
  private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
  private static final double ROOT_HALF = Math.sqrt(0.5);

  private final UnitAxis[] axes;
  private final double[] widths;
  private final double leaves;
  private final int count;

  /** By axis and then by observation; NaN where an observation lacks the axis. */
  private final double[][] centres;

  /** The same in units of the width times the root of two, for scales. */
  private final double[][] scaled;

  /** Whether no observation lacks the axis. */
  private final boolean[] complete;

  private final double[] cumulative;
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
    scaled = new double[axes.size()][];
    complete = new boolean[axes.size()];
    cumulative = new double[count];
    logHeights = new double[count];
    exponents = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
      cumulative[i] = sum;
    }
    double total = sum + priorWeight;
    logPriorShare = Math.log(priorWeight / total);
    for (int i = 0; i < count; i++) {
      boolean asBefore = i > 0 && weights[i] == weights[i - 1];
      logHeights[i] = asBefore ? logHeights[i - 1] : Math.log(weights[i] / total);
    }
    double[][] points = observations.stream().map(Observation::point).toArray(double[][]::new);
    for (int a = 0; a < axes.size(); a++) {
      place(a, points);
    }
  }

  private void place(int a, double[][] points) {
    UnitAxis axis = axes[a];
    int index = axis.axis().index();
    double[] column = centres[a];
    boolean scale = axis instanceof Scale;
    double logWidth = scale ? Math.log(widths[a]) + LOG_ROOT_TWO_PI : 0;
    double unit = scale ? ROOT_HALF / widths[a] : 0;
    double[] inWidths = scale ? new double[count] : column;
    complete[a] = true;
    for (int i = 0; i < count; i++) {
      column[i] = points[i][index];
      boolean there = !Double.isNaN(column[i]);
      complete[a] &= there;
      if (scale) {
        inWidths[i] = column[i] * unit;
        logHeights[i] -= there ? logWidth : 0;
      }
    }
    scaled[a] = inWidths;
  }

  /** Draws a point, its coordinates in the order of the axes. */
  void draw(Rng rng, double[] point) {
    double total = count == 0 ? 0 : cumulative[count - 1];
    double share = rng.nextDouble() * (total / (1 - Math.exp(logPriorShare)));
    int kernel = count == 0 || share >= total ? -1 : kernel(share);
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
    for (int a = 0; a < point.length; a++) {
      prior += axes[a] instanceof Scale scale ? scale.logPrior(point[a]) : 0;
    }
    return prior;
  }

  /** The logarithm of the density at a point, up to a constant that all mixtures share. */
  double log(double[] point) {
    System.arraycopy(logHeights, 0, exponents, 0, count);
    for (int a = 0; a < point.length; a++) {
      if (axes[a] instanceof Scale scale) {
        double at = point[a] * (ROOT_HALF / widths[a]);
        if (complete[a]) {
          addScale(exponents, scaled[a], at);
        } else {
          addScale(exponents, scaled[a], at, scale.logPrior(point[a]));
        }
      } else if (axes[a] instanceof Options(var axis, int options) && options > 1) {
        // In units of the uniform distribution, so that the prior's kernel is 1.
        double stays = Math.log((1 - leaves) * options);
        double goes = Math.log(leaves / (options - 1) * options);
        addOptions(exponents, centres[a], point[a], stays, goes);
      }
    }
    double prior = least(point);
    double most = prior;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, exponents[i]);
    }
    double sum = Math.exp(prior - most);
    for (int i = 0; i < count; i++) {
      double relative = exponents[i] - most;
      if (relative > -NEGLIGIBLE) {
        sum += Math.exp(relative);
      }
    }
    return most + Math.log(sum);
  }

  private static void addScale(double[] exponents, double[] column, double at) {
    for (int i = 0; i < exponents.length; i++) {
      double distance = column[i] - at;
      exponents[i] -= distance * distance;
    }
  }

  private static void addScale(double[] exponents, double[] column, double at, double lacking) {
    for (int i = 0; i < exponents.length; i++) {
      double distance = column[i] - at;
      exponents[i] += Double.isNaN(distance) ? lacking : -distance * distance;
    }
  }

  private static void addOptions(
      double[] exponents, double[] column, double at, double stays, double goes) {
    for (int i = 0; i < exponents.length; i++) {
      if (!Double.isNaN(column[i])) {
        exponents[i] += column[i] == at ? stays : goes;
      }
    }
  }
}
