package io.orrery.studio.people;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the rate of wrong passwords for an account: {@value #MOST} at once, then one in {@value
 * #MILLIS_EACH} ms. An address from which the account signed in before has a count of its own, so
 * that guesses from elsewhere do not lock its user out. Both tables are bounded; the oldest entry
 * goes first.
 */
final class SignInLimits {
  private static final int MOST = 10;
  private static final long MILLIS_EACH = 6_000;
  private static final int MOST_ENTRIES = 10_000;

  private final Clock clock;
  private final Map<String, Failures> failures = bounded();
  private final Map<String, Boolean> familiar = bounded();

  /** A count of failures at an instant, which decays from then on. */
  private record Failures(double count, long millis) {
    double at(long now) {
      return Math.max(0, count - (now - millis) / (double) MILLIS_EACH);
    }
  }

  SignInLimits(Clock clock) {
    this.clock = clock;
  }

  /**
   * Lets a password be tried.
   *
   * @throws io.orrery.core.problem.ProblemException Busy when too many wrong ones were tried
   */
  void check(String user, String address) {
    Failures failed = failures.get(key(user, address));
    double count = failed == null ? 0 : failed.at(clock.millis());
    if (count > MOST - 1) {
      throw new Problem.Busy(
              "Too many wrong passwords for this account.",
              Duration.ofMillis((long) Math.ceil((count - MOST + 1) * MILLIS_EACH)))
          .toException();
    }
  }

  void failed(String user, String address) {
    long now = clock.millis();
    failures.compute(
        key(user, address),
        (known, before) -> new Failures((before == null ? 0 : before.at(now)) + 1, now));
  }

  void succeeded(String user, String address) {
    familiar.put(user + " " + address, true);
    failures.remove(key(user, address));
  }

  private String key(String user, String address) {
    String pair = user + " " + address;
    return familiar.containsKey(pair) ? pair : user;
  }

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MOST_ENTRIES;
      }
    };
  }
}
