package io.orrery.core.auth;

import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.Map;

/**
 * A throttle of failures for each of many keys: {@value #MOST} at once, then one in {@value
 * #MILLIS_EACH} ms. The table is bounded; the key that was seen longest ago is forgotten.
 */
public final class FailureThrottle {
  private static final int MOST = 10;
  private static final long MILLIS_EACH = 6_000;

  private final Clock clock;
  private final Map<String, Failures> byKey;

  /** A count of failures at an instant, which decays from then on. */
  private record Failures(double count, long millis) {
    double at(long now) {
      return Math.max(0, count - (now - millis) / (double) MILLIS_EACH);
    }
  }

  /**
   * @param mostKeys how many keys are remembered
   */
  public FailureThrottle(Clock clock, int mostKeys) {
    this.clock = clock;
    this.byKey = new LeastRecentlyUsed<>(mostKeys);
  }

  /**
   * Lets a key try.
   *
   * @param detail of the refusal
   * @throws io.orrery.core.problem.ProblemException Busy when it has failed too often of late
   */
  public void check(String key, String detail) {
    Failures failures = byKey.get(key);
    double count = failures == null ? 0 : failures.at(clock.millis());
    if (count > MOST - 1) {
      throw new Problem.Busy(
              detail, Duration.ofMillis((long) Math.ceil((count - MOST + 1) * MILLIS_EACH)))
          .toException();
    }
  }

  /** Counts a failure. */
  public void failed(String key) {
    long now = clock.millis();
    byKey.compute(
        key, (known, before) -> new Failures((before == null ? 0 : before.at(now)) + 1, now));
  }

  /** Forgets the failures of a key. */
  public void forget(String key) {
    byKey.remove(key);
  }

  /** The number of keys that are remembered. */
  public int size() {
    return byKey.size();
  }
}
