package io.orrery.core.experiment;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;

/**
 * The policy for automatic retries of a trial.
 *
 * @param attempts how many runs a trial may have in all, 1 or more; 1 is no retry
 * @param backoff pause before the second attempt; doubles with each further one, at most an hour
 * @param on what is worth another attempt
 */
public record RetryPolicy(int attempts, Duration backoff, Set<Cause> on) {
  /** The cause of an unsuccessful attempt. */
  public enum Cause {
    /** Its process ended with something other than 0. */
    FAILED,
    /** Its platform lost it. */
    LOST
  }

  public static final RetryPolicy NONE =
      new RetryPolicy(1, Duration.ofSeconds(10), Set.of(Cause.FAILED, Cause.LOST));

  private static final Duration LONGEST = Duration.ofHours(1);

  public RetryPolicy {
    on = Set.copyOf(on);
  }

  /** Whether a trial whose {@code attempt}th run ended for {@code cause} gets another. */
  public boolean allows(int attempt, Cause cause) {
    return attempt < attempts && on.contains(cause);
  }

  /** Whether another attempt follows whatever ends the {@code attempt}th unsuccessfully. */
  public boolean always(int attempt) {
    return Arrays.stream(Cause.values()).allMatch(cause -> allows(attempt, cause));
  }

  /** The pause after the {@code attempt}th run. */
  public Duration pauseAfter(int attempt) {
    Duration pause = backoff.multipliedBy(1L << Math.min(attempt - 1, 30));
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
