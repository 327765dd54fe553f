package io.orrery.tuner.search.bohb;

import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Arrays;

/**
 * A density of points of the unit cube: one kernel at each, the product of one kernel for each
 * axis, normal on a scale and Aitchison and Aitken's on categories. All kernels are as wide as the
 * normal reference rule says, as statsmodels has it and therefore BOHB.
 */
final class KernelDensity {
  private final int[] categories;
  private final double[][] points;
  private final double[] widths;

  /**
   * @param points in the unit cube, or the index of a category; 1 or more
   * @param categories by axis how many there are, 0 on a scale
   */
  KernelDensity(double[][] points, int[] categories, double narrowest) {
    this.points = points;
    this.categories = categories;
    this.widths = new double[categories.length];
    double shrink = Math.pow(points.length, -1.0 / (4 + categories.length));
    for (int axis = 0; axis < widths.length; axis++) {
      int own = axis;
      double width =
          1.06 * deviation(Arrays.stream(points).mapToDouble(p -> p[own]).toArray()) * shrink;
      double widest = categories[axis] > 0 ? (categories[axis] - 1.0) / categories[axis] : 1;
      widths[axis] = Math.min(Math.max(width, narrowest), widest);
    }
  }

  private static double deviation(double[] numbers) {
    double mean = Arrays.stream(numbers).average().orElse(0);
    return Math.sqrt(Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).average().orElse(0));
  }

  /** The density at a point, up to a constant factor. */
  double at(double[] point) {
    double sum = 0;
    for (double[] centre : points) {
      double product = 1;
      for (int axis = 0; axis < widths.length; axis++) {
        product *= kernel(axis, point[axis], centre[axis]);
      }
      sum += product;
    }
    return sum / points.length;
  }

  private double kernel(int axis, double x, double centre) {
    double width = widths[axis];
    if (categories[axis] > 0) {
      return x == centre ? 1 - width : width / Math.max(1, categories[axis] - 1);
    }
    double distance = (x - centre) / width;
    return Math.exp(-0.5 * distance * distance) / width;
  }

  /** A point near one of those, from kernels that are wider by a factor, within the unit cube. */
  double[] draw(Rng rng, double factor) {
    double[] centre = points[rng.nextInt(points.length)];
    double[] drawn = new double[centre.length];
    for (int axis = 0; axis < drawn.length; axis++) {
      drawn[axis] =
          categories[axis] > 0
              ? rng.nextDouble() < 1 - widths[axis] ? centre[axis] : rng.nextInt(categories[axis])
              : truncated(rng, centre[axis], factor * widths[axis]);
    }
    return drawn;
  }

  private static double truncated(Rng rng, double mean, double deviation) {
    double low = Gaussian.cdf(-mean / deviation);
    double high = Gaussian.cdf((1 - mean) / deviation);
    double x = mean + deviation * Gaussian.quantile(low + rng.nextOpen() * (high - low));
    return Math.clamp(x, 0, 1);
  }
}
