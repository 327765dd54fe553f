package io.orrery.tuner.search.hyperband;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of how many configurations get how much, as table 1 of the Hyperband paper and NNI have
 * it: bracket {@code s} begins with ceil((top + 1) eta^s / (s + 1)) configurations, each with R /
 * eta^s, and goes on with the best of them, one in eta, and eta times as much each time. All
 * brackets cost about the same.
 *
 * @param most R: the budget of a configuration that goes all the way
 * @param eta one in so many goes on; 2 or more
 * @param top the number of the bracket that begins with the least budget; the last one is 0
 */
public record Ladder(long most, int eta, int top) {
  /** A quotient that is whole may have been computed as a little less. */
  private static final double EPSILON = 1e-6;

  /**
   * A step of a bracket.
   *
   * @param size how many configurations it takes
   * @param budget what each of them is trained with, from the beginning
   */
  public record Rung(int size, long budget) {}

  /** The ladder whose budgets lie between two. */
  public static Ladder between(long least, long most, int eta) {
    return new Ladder(
        most, eta, (int) Math.floor(Math.log((double) most / least) / Math.log(eta) + EPSILON));
  }

  /** The steps of a bracket, from the least budget up. */
  List<Rung> bracket(int s) {
    double first = most / Math.pow(eta, s);
    double size = Math.ceil((top + 1) * Math.pow(eta, s) / (s + 1) - EPSILON);
    List<Rung> rungs = new ArrayList<>();
    for (int round = 0; round <= s; round++) {
      double scale = Math.pow(eta, round);
      rungs.add(
          new Rung((int) (size / scale + EPSILON), (long) Math.floor(first * scale + EPSILON)));
    }
    return rungs;
  }
}
