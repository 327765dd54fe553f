package io.orrery.tuner.surrogate;

import static java.lang.Double.NEGATIVE_INFINITY;
import static java.lang.Double.POSITIVE_INFINITY;

import io.orrery.tuner.math.Cholesky;
import io.orrery.tuner.math.Gaussian;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The worth of a result at a place: how much lower the least mean is expected to be after it, among
 * the best places that were observed and the place itself (Frazier, Powell, Dayanik: "The
 * knowledge-gradient policy for correlated normal beliefs", 2009; with the place itself among them
 * Scott, Frazier, Powell, 2011). Of a place that was observed without noise it is 0, of a new one
 * then its expected improvement.
 *
 * <p>The process must await the same places as long as this is used. Not thread safe.
 */
final class KnowledgeGradient {
  /** In deviations of the warped losses; what is worth less is not worth a trial. */
  static final double LEAST = 1e-3;

  /** So many places may turn out to be the best one. */
  private static final int RIVALS = 40;

  /** So many of them are worth being tried again. */
  private static final int LIKELIEST = 8;

  private final GaussianProcess process;
  private final List<double[]> likeliest = new ArrayList<>();

  /** The rows of the rivals, each place once, the best first. */
  private final int[] rivals;

  private final double[] means;
  private final double[][] explained;

  /**
   * @param observed the places that the process has observed, in their order
   */
  KnowledgeGradient(GaussianProcess process, List<double[]> observed) {
    this.process = process;
    double[] all = process.means();
    List<Integer> chosen = new ArrayList<>();
    IntStream.range(0, observed.size())
        .boxed()
        .sorted(Comparator.comparingDouble(i -> all[i]))
        .forEach(i -> {
          if (chosen.size() < RIVALS
              && chosen.stream().noneMatch(j -> Surrogate.same(observed.get(i), observed.get(j)))) {
            chosen.add(i);
          }
        });
    rivals = chosen.stream().mapToInt(i -> i).toArray();
    means = chosen.stream().mapToDouble(i -> all[i]).toArray();
    explained =
        chosen.stream().map(i -> process.explained(observed.get(i))).toArray(double[][]::new);
    chosen.stream().limit(LIKELIEST).forEach(i -> likeliest.add(observed.get(i)));
  }

  /** The places with the least means, the best first. */
  List<double[]> likeliest() {
    return likeliest;
  }

  /** The worth of one more result at a place, 0 or more. */
  double at(double[] place) {
    double[] row = process.covariances(place, explained[0].length);
    double[] own = process.explained(place);
    double left = Math.max(0, process.variance() - Cholesky.dot(own, own, own.length));
    double deviation = Math.sqrt(left + process.noise());
    int count = rivals.length;
    double[] heights = new double[count + 1];
    double[] slopes = new double[count + 1];
    for (int i = 0; i < count; i++) {
      heights[i] = -means[i];
      slopes[i] = (row[rivals[i]] - Cholesky.dot(own, explained[i], own.length)) / deviation;
    }
    double mean = process.mean(place);
    heights[count] = -mean;
    slopes[count] = left / deviation;
    // What was not tried cannot be chosen yet, however good it is expected to be.
    double better = Math.max(0, means[0] - mean);
    return better + expectedRise(heights, slopes);
  }

  /**
   * How much higher the highest of some lines is expected to be at a standard normal number than at
   * 0.
   *
   * @param heights of each line at 0
   */
  static double expectedRise(double[] heights, double[] slopes) {
    List<Integer> order =
        IntStream.range(0, heights.length)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer i) -> slopes[i])
                    .thenComparingDouble(i -> heights[i]))
            .toList();
    int[] highest = new int[heights.length];
    double[] from = new double[heights.length];
    int size = 0;
    for (int line : order) {
      // Of equal slopes the higher line comes later; that 0 and -0 are no order does not matter.
      if (size > 0 && overtakes(line, highest[size - 1], heights, slopes) == POSITIVE_INFINITY) {
        continue;
      }
      while (size > 0 && overtakes(line, highest[size - 1], heights, slopes) <= from[size - 1]) {
        size--;
      }
      double begin =
          size == 0 ? NEGATIVE_INFINITY : overtakes(line, highest[size - 1], heights, slopes);
      highest[size] = line;
      from[size++] = begin;
    }
    double rise = 0;
    for (int i = 1; i < size; i++) {
      rise += (slopes[highest[i]] - slopes[highest[i - 1]]) * beyond(-Math.abs(from[i]));
    }
    return rise;
  }

  /** Where a line overtakes another that is not steeper; at once or never if that is as steep. */
  private static double overtakes(int line, int other, double[] heights, double[] slopes) {
    double steeper = slopes[line] - slopes[other];
    double lower = heights[other] - heights[line];
    return steeper > 0 ? lower / steeper : lower < 0 ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
  }

  /** The expected excess of a standard normal number over -z. */
  private static double beyond(double z) {
    return Math.max(0, Math.exp(Gaussian.logDensity(z)) + z * Gaussian.cdf(z));
  }
}
