package io.orrery.compute.runtime.replica;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pause before a program is started again: 1 s, doubled with each end in a row up to 5 minutes,
 * and up to a tenth longer, so that programs that ended together do not start together.
 *
 * @param first the first pause
 * @param longest the longest pause
 * @param stable a program that ran this long has not failed in a row
 */
public record RestartBackoff(Duration first, Duration longest, Duration stable) {
  /** The pauses of a server. */
  public static final RestartBackoff DEFAULT =
      new RestartBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofMinutes(10));

  private static final int MOST_DOUBLINGS = 30;

  /**
   * The pause.
   *
   * @param failures ends in a row, 1 or more
   */
  Duration pause(int failures, RandomGenerator random) {
    long millis = first.toMillis() << Math.clamp(failures - 1L, 0, MOST_DOUBLINGS);
    long capped = Math.min(millis, longest.toMillis());
    return Duration.ofMillis(capped + random.nextLong(capped / 10 + 1));
  }

  /**
   * The number of ends in a row, after one more.
   *
   * @param before those before this run
   * @param ran the time that the program ran
   */
  int failures(int before, Duration ran) {
    return ran.compareTo(stable) >= 0 ? 1 : before + 1;
  }
}
