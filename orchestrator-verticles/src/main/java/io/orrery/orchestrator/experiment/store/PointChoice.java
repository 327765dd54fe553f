package io.orrery.orchestrator.experiment.store;

import io.orrery.core.metric.Direction;
import java.util.BitSet;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Selects the results that a chart needs. A chart of trials is a cloud of dots with a staircase in
 * it, the best so far. Thinning out must not move a step of the staircase, nor hide the best, the
 * worst and the newest result. Gaps in the cloud do no harm.
 *
 * <p>Shares of what may be kept: half for the staircase, a tenth each for the best and the newest,
 * the two extremes; whatever these leave goes evenly over all others.
 */
final class PointChoice {
  private PointChoice() {}

  /**
   * The best result up to and including each place.
   *
   * @param results NaN where there is none that counts
   * @return NaN before the first result
   */
  static double[] bestSoFar(double[] results, Direction direction) {
    double[] best = new double[results.length];
    double present = Double.NaN;
    for (int i = 0; i < results.length; i++) {
      if (!Double.isNaN(results[i])
          && (Double.isNaN(present) || direction.better(results[i], present))) {
        present = results[i];
      }
      best[i] = present;
    }
    return best;
  }

  /**
   * Chooses places.
   *
   * @param results NaN where there is none that counts
   * @param best {@link #bestSoFar} of the results
   * @param most how many to choose, 10 or more
   * @return ascending, at most {@code most}; all when there are no more than that
   */
  static int[] choose(double[] results, double[] best, int most, Direction direction) {
    BitSet chosen = new BitSet(results.length);
    if (results.length <= most) {
      chosen.set(0, results.length);
    } else {
      staircase(best, most / 2, chosen);
      extremes(results, chosen);
      theBest(results, most / 10, direction, chosen);
      chosen.set(results.length - most / 10, results.length);
      evenly(results.length, most - chosen.cardinality(), chosen);
    }
    return chosen.stream().toArray();
  }

  private static void staircase(double[] best, int most, BitSet chosen) {
    BitSet steps = new BitSet(best.length);
    for (int i = 0; i < best.length; i++) {
      double before = i == 0 ? Double.NaN : best[i - 1];
      if (!Double.isNaN(best[i]) && best[i] != before) {
        steps.set(i);
      }
    }
    int count = steps.cardinality();
    int place = 0;
    for (int i = steps.nextSetBit(0); i >= 0; i = steps.nextSetBit(i + 1), place++) {
      // The last step is the present best: of a staircase that is too long the end must stay.
      if (taken(count - 1 - place, count, Math.min(count, most))) {
        chosen.set(i);
      }
    }
  }

  private static void extremes(double[] results, BitSet chosen) {
    int low = -1;
    int high = -1;
    for (int i = 0; i < results.length; i++) {
      if (!Double.isNaN(results[i])) {
        low = low < 0 || results[i] < results[low] ? i : low;
        high = high < 0 || results[i] > results[high] ? i : high;
      }
    }
    if (low >= 0) {
      chosen.set(low);
      chosen.set(high);
    }
  }

  private static void theBest(double[] results, int most, Direction direction, BitSet chosen) {
    Comparator<Integer> worstFirst =
        (a, b) ->
            direction.better(results[a], results[b])
                ? 1
                : direction.better(results[b], results[a]) ? -1 : Integer.compare(b, a);
    PriorityQueue<Integer> kept = new PriorityQueue<>(most + 1, worstFirst);
    for (int i = 0; i < results.length; i++) {
      if (!Double.isNaN(results[i])) {
        kept.add(i);
        if (kept.size() > most) {
          kept.remove();
        }
      }
    }
    kept.forEach(chosen::set);
  }

  private static void evenly(int length, int count, BitSet chosen) {
    int others = length - chosen.cardinality();
    int place = 0;
    for (int i = chosen.nextClearBit(0); i < length; i = chosen.nextClearBit(i + 1), place++) {
      if (taken(place, others, count)) {
        chosen.set(i);
      }
    }
  }

  /** Whether the one at a place is among {@code count} of {@code length}, spread evenly. */
  private static boolean taken(int place, int length, int count) {
    return (long) place * count % length < count;
  }
}
