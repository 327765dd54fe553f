package io.orrery.core.workload;

/**
 * A range of a resource: the amount that is set aside, and the limit.
 *
 * @param least 0 or more
 * @param most at least {@code least}; 0 for no limit
 */
public record Amount(long least, long most) {
  /** Nothing set aside, and no limit. */
  public static final Amount UNLIMITED = new Amount(0, 0);

  /**
   * @throws IllegalArgumentException when it is no range
   */
  public Amount {
    if (least < 0 || (most != 0 && most < least)) {
      throw new IllegalArgumentException(least + " to " + most + " is not a range");
    }
  }
}
