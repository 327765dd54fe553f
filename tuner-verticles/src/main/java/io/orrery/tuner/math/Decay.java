package io.orrery.tuner.math;

/**
 * Exponentials of many numbers at once.
 *
 * <p>A loop over {@link Math#exp} calls it for each number by itself. This one has neither calls
 * nor branches, so that the compiler computes as many numbers at a time as the processor's vectors
 * hold: a quarter of the time.
 */
public final class Decay {
  /** What is further away than this counts as this far; e to the minus of it is 1e-304. */
  private static final double FURTHEST = 700;

  private static final int PARTS = 4096;
  private static final double C2 = 1 / 2.0;
  private static final double C3 = C2 / 3;
  private static final double C4 = C3 / 4;
  private static final double C5 = C4 / 5;
  private static final double C6 = C5 / 6;
  private static final double C7 = C6 / 7;
  private static final double C8 = C7 / 8;
  private static final double C9 = C8 / 9;

  private Decay() {}

  /**
   * Overwrites each of the first numbers with e to the minus of it. The relative error is below
   * 1e-10.
   *
   * @param numbers 0 or more each
   * @param count how many of them
   */
  public static void of(double[] numbers, int count) {
    for (int i = 0; i < count; i++) {
      // e^-x = (e^(-x/4096))^4096: of a number that small, Taylor's polynomial needs few terms.
      double y = -Math.min(numbers[i], FURTHEST) / PARTS;
      double high = C5 + y * (C6 + y * (C7 + y * (C8 + y * C9)));
      double power = 1 + y * (1 + y * (C2 + y * (C3 + y * (C4 + y * high))));
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      power *= power;
      numbers[i] = power;
    }
  }
}
