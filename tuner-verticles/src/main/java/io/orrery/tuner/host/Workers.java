package io.orrery.tuner.host;

import java.time.Duration;

/**
 * Limits on what algorithms may use of the machine, and on how long they may take.
 *
 * @param threads how many algorithms may think at once, 1 or more
 * @param queue how many questions of one experiment may wait before more are refused as Busy
 * @param notice how long a question waits before it is answered with Busy and the reason
 * @param patience how long an algorithm may think without progress before its thread is given up;
 *     an answer is progress, and so is each entry of the past that a replay has told it
 * @param failures how many failures in a row end an algorithm for good
 * @param abandoned how many threads may be lost to algorithms that do not answer; when there are so
 *     many, no algorithm gets another thread
 */
public record Workers(
    int threads, int queue, Duration notice, Duration patience, int failures, int abandoned) {
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FAILURES = 5;
  private static final int ABANDONED = 32;

  public Workers {
    if (threads < 1 || queue < 1 || failures < 1 || abandoned < 1) {
      throw new IllegalArgumentException("all numbers must be 1 or more");
    }
    if (!notice.isPositive() || patience.compareTo(notice) < 0) {
      throw new IllegalArgumentException("patience must not be shorter than notice");
    }
  }

  /** With the usual patience. */
  public Workers(int threads, int queue) {
    this(threads, queue, NOTICE, PATIENCE, FAILURES, ABANDONED);
  }

  /** The same with another patience. */
  public Workers withPatience(Duration other) {
    return new Workers(threads, queue, notice, other, failures, abandoned);
  }
}
