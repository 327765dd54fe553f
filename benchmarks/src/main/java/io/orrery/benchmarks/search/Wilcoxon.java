package io.orrery.benchmarks.search;

import io.orrery.tuner.math.Gaussian;
import java.util.Arrays;

/** The signed-rank test for pairs (Wilcoxon, Biometrics Bulletin 1, 1945). */
final class Wilcoxon {
  private Wilcoxon() {}

  /**
   * How likely differences like these are, or ones that lie further above zero, when both members
   * of a pair are alike: by the normal approximation, with corrections for ties and continuity.
   * Pairs that are equal say nothing and are left out.
   *
   * @return 1 when no pair differs
   */
  static double chanceThatNotGreater(double[] differences) {
    double[] apart = Arrays.stream(differences).filter(d -> d != 0).toArray();
    int n = apart.length;
    if (n == 0) {
      return 1;
    }
    double[] sizes = Arrays.stream(apart).map(Math::abs).sorted().toArray();
    double positive = 0;
    double ties = 0;
    for (double difference : apart) {
      int first = lower(sizes, Math.abs(difference));
      int last = first;
      while (last < n && sizes[last] == Math.abs(difference)) {
        last++;
      }
      double size = last - first;
      ties += size * size - 1;
      positive += difference > 0 ? (first + 1 + last) / 2.0 : 0;
    }
    double mean = n * (n + 1) / 4.0;
    double variance = n * (n + 1) * (2 * n + 1) / 24.0 - ties / 48;
    return 1 - Gaussian.cdf((positive - mean - 0.5) / Math.sqrt(variance));
  }

  private static int lower(double[] sorted, double value) {
    int at = Arrays.binarySearch(sorted, value);
    while (at > 0 && sorted[at - 1] == value) {
      at--;
    }
    return at;
  }
}
