package io.orrery.tuner.search.tpe;

import io.orrery.tuner.encode.Prior;
import io.orrery.tuner.math.Gaussian;
import io.orrery.tuner.math.Rng;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The density over numbers: a mixture of normal kernels, one at each observation and a wide one for
 * the prior.
 *
 * <p>A kernel is as wide as the larger gap to its neighbours, within limits: no wider than the
 * prior, and no narrower than the prior divided by the number of kernels and one, at most by 100. A
 * uniform prior is the kernel in the middle of its interval, as wide as the interval; the mixture
 * is then cut off at the bounds. The mass that is cut off is a constant factor of the density, so
 * it is left out: densities are only compared.
 */
final class Parzen implements Density {
  /** A squared distance, in sigmas, from which a kernel adds nothing that a double would notice. */
  private static final double OUT_OF_REACH = 80;

  /** Even at the edge of its bounds a kernel has a third of its mass inside. */
  private static final int MOST_REJECTIONS = 64;

  private static final double FLOOR = 1e-300;

  private record Kernel(double mean, double weight, boolean prior) {}

  private final double low;
  private final double high;
  private final double[] means;
  private final double[] deviations;
  private final double[] cumulative;
  private final double[] heights;

  Parzen(double[] observed, double[] weights, Prior prior, double priorWeight) {
    double priorMean;
    double priorDeviation;
    switch (prior) {
      case Prior.Flat(double from, double to) -> {
        low = from;
        high = to;
        priorMean = from + (to - from) / 2;
        priorDeviation = to - from;
      }
      case Prior.Bell(double mean, double deviation) -> {
        low = Double.NEGATIVE_INFINITY;
        high = Double.POSITIVE_INFINITY;
        priorMean = mean;
        priorDeviation = deviation;
      }
    }
    Kernel[] kernels = new Kernel[observed.length + 1];
    for (int i = 0; i < observed.length; i++) {
      kernels[i] = new Kernel(observed[i], weights[i], false);
    }
    kernels[observed.length] = new Kernel(priorMean, priorWeight, true);
    Arrays.sort(kernels, Comparator.comparingDouble(Kernel::mean));
    means = Arrays.stream(kernels).mapToDouble(Kernel::mean).toArray();
    deviations = deviations(kernels, priorDeviation);
    cumulative = Arrays.stream(kernels).mapToDouble(Kernel::weight).toArray();
    for (int i = 1; i < cumulative.length; i++) {
      cumulative[i] += cumulative[i - 1];
    }
    double total = cumulative[cumulative.length - 1];
    heights = new double[kernels.length];
    for (int i = 0; i < kernels.length; i++) {
      heights[i] = kernels[i].weight() / total / deviations[i];
    }
  }

  private static double[] deviations(Kernel[] kernels, double prior) {
    int count = kernels.length;
    double narrowest = prior / Math.min(100, count + 1);
    double[] deviations = new double[count];
    for (int i = 0; i < count; i++) {
      double left = i == 0 ? 0 : kernels[i].mean() - kernels[i - 1].mean();
      double right = i == count - 1 ? 0 : kernels[i + 1].mean() - kernels[i].mean();
      double gap = count == 2 ? prior / 2 : Math.max(left, right);
      deviations[i] = kernels[i].prior() ? prior : Math.clamp(gap, narrowest, prior);
    }
    return deviations;
  }

  @Override
  public double draw(Rng rng) {
    double drawn = means[0];
    for (int i = 0; i < MOST_REJECTIONS; i++) {
      int kernel = kernel(rng.nextDouble() * cumulative[cumulative.length - 1]);
      drawn = means[kernel] + deviations[kernel] * Gaussian.quantile(rng.nextOpen());
      if (drawn >= low && drawn <= high) {
        return drawn;
      }
    }
    return Math.clamp(drawn, low, high);
  }

  private int kernel(double weight) {
    int found = Arrays.binarySearch(cumulative, weight);
    return Math.min(found >= 0 ? found + 1 : -found - 1, means.length - 1);
  }

  @Override
  public double log(double coordinate) {
    double sum = 0;
    for (int i = 0; i < means.length; i++) {
      double distance = (coordinate - means[i]) / deviations[i];
      double square = distance * distance;
      if (square < OUT_OF_REACH) {
        sum += heights[i] * Math.exp(-0.5 * square);
      }
    }
    return Math.log(sum + FLOOR);
  }
}
