package io.orrery.studio.people;

import io.orrery.core.auth.FailureThrottle;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.time.Clock;
import java.util.Map;

/**
 * A limit of wrong passwords for each account, by {@link FailureThrottle}. An address from which
 * the account signed in before has a count of its own, so that guesses from elsewhere do not lock
 * its user out.
 */
final class SignInLimits {
  private static final int MOST_ENTRIES = 10_000;

  private final FailureThrottle failures;
  private final Map<String, Boolean> familiar = new LeastRecentlyUsed<>(MOST_ENTRIES);

  SignInLimits(Clock clock) {
    this.failures = new FailureThrottle(clock, MOST_ENTRIES);
  }

  /**
   * Lets a password be tried.
   *
   * @throws io.orrery.core.problem.ProblemException Busy when too many wrong ones were tried
   */
  void check(String user, String address) {
    failures.check(key(user, address), "Too many wrong passwords for this account.");
  }

  void failed(String user, String address) {
    failures.failed(key(user, address));
  }

  void succeeded(String user, String address) {
    familiar.put(user + " " + address, true);
    failures.forget(key(user, address));
  }

  private String key(String user, String address) {
    String pair = user + " " + address;
    return familiar.containsKey(pair) ? pair : user;
  }
}
