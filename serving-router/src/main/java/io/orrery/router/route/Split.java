package io.orrery.router.route;

import java.util.stream.IntStream;

/**
 * The division of the requests of a service: an interval of [0, 1) for each target, in the order in
 * which they are listed, and the rest for the owner. A key's number never changes, so raising the
 * last weight from 10 to 20 percent moves just the keys of those ten.
 */
public final class Split {
  private final int[] targets;
  private final double[] ends;

  /**
   * @param targets places in the table, the owner last
   * @param ends where the interval of each ends, rising; the last is 1
   */
  Split(int[] targets, double[] ends) {
    this.targets = targets;
    this.ends = ends;
  }

  /** Nothing is given away. */
  static Split whole(int owner) {
    return new Split(new int[] {owner}, new double[] {1});
  }

  /** Whether there is anything to choose. */
  public boolean divided() {
    return targets.length > 1;
  }

  /** The places in the table of all that may get a request, the owner last. */
  public IntStream targets() {
    return IntStream.of(targets);
  }

  /**
   * The place in the table of the target.
   *
   * @param where in [0, 1): a random number, or the one of a key
   */
  public int pick(double where) {
    for (int i = 0; i < targets.length - 1; i++) {
      if (where < ends[i]) {
        return targets[i];
      }
    }
    return targets[targets.length - 1];
  }

  /** The same for a key that must stay with its target. */
  public int pick(String key) {
    return pick(Hashes.fraction(Hashes.of(key, 0)));
  }

  /** The part of all requests that a target gets, 0 to 1. */
  double part(int target) {
    double sum = 0;
    for (int i = 0; i < targets.length; i++) {
      if (targets[i] == target) {
        sum += ends[i] - (i == 0 ? 0 : ends[i - 1]);
      }
    }
    return sum;
  }
}
