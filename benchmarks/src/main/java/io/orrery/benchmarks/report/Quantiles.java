package io.orrery.benchmarks.report;

import java.util.Arrays;

/** Quantiles of a sample by the nearest rank. */
public final class Quantiles {
  private final double[] sorted;

  /**
   * @param sample at least one value
   */
  public Quantiles(double[] sample) {
    if (sample.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    this.sorted = sample.clone();
    Arrays.sort(sorted);
  }

  /**
   * @param q 0 to 1
   */
  public double at(double q) {
    int rank = (int) Math.ceil(q * sorted.length) - 1;
    return sorted[Math.clamp(rank, 0, sorted.length - 1)];
  }
}
