package io.orrery.router.policy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A budget for copies of requests: so many at once, so many bytes, and nothing for a while for a
 * shadow that failed five times in a row. Lives on one loop.
 */
public final class CopyBudget {
  /** Copies in flight at once. */
  public static final int MOST_COPIES = 256;

  /** The one client of all copies, in lines that clients wait in. */
  public static final String CLIENT = "copies";

  private static final long MOST_BYTES = 32L << 20;
  private static final int FAILURES = 5;
  private static final Duration REST = Duration.ofSeconds(1);

  private final Map<String, Breaker> breakers = new HashMap<>();
  private final long mostBytes;
  private int copies;
  private long bytes;

  /**
   * @param mostBytes of all copies together; 32 MB at most
   */
  public CopyBudget(long mostBytes) {
    this.mostBytes = Math.min(MOST_BYTES, mostBytes);
  }

  private static final class Breaker {
    private int failures;
    private long closedUntil;
  }

  /**
   * Takes one more copy for a shadow; false when there is no room or the shadow rests.
   *
   * @param now nanoseconds; the time of the last tick is exact enough for a rest of a second
   */
  public boolean take(String shadow, long now) {
    if (copies >= MOST_COPIES || !lets(breaker(shadow), now)) {
      return false;
    }
    copies++;
    return true;
  }

  private Breaker breaker(String shadow) {
    Breaker known = breakers.get(shadow);
    return known == null ? breakers.computeIfAbsent(shadow, id -> new Breaker()) : known;
  }

  private static boolean lets(Breaker breaker, long now) {
    if (breaker.failures < FAILURES) {
      return true;
    }
    if (now - breaker.closedUntil < 0) {
      return false;
    }
    breaker.closedUntil = now + REST.toNanos();
    return true;
  }

  /** Takes room for so many bytes of a body; false when there is not enough. */
  public boolean hold(long more) {
    if (bytes + more > mostBytes) {
      return false;
    }
    bytes += more;
    return true;
  }

  /**
   * Gives back a copy.
   *
   * @param held the bytes that it had taken
   */
  public void giveBack(long held) {
    copies--;
    bytes -= held;
  }

  /** A shadow answered, or did not. */
  public void heard(String shadow, boolean good, long now) {
    Breaker breaker = breaker(shadow);
    if (good) {
      breaker.failures = 0;
    } else if (++breaker.failures == FAILURES) {
      breaker.closedUntil = now + REST.toNanos();
    }
  }
}
