package io.orrery.router.health;

import java.time.Duration;

/**
 * The time in which no endpoint of a service takes requests: it begins with one that none took, and
 * ends when one has a connection to an endpoint. Its answer may take long, and the others must not
 * be refused beside an endpoint that is back. Requests may wait in it for an endpoint; one at a
 * time tries, so that the others do not storm one that is gone. Thread safe.
 */
public final class Outage {
  private static final long TURN = Duration.ofMillis(40).toNanos();

  private final long longest;

  /** Nanoseconds, never zero; zero while there is none. */
  private volatile long since;

  private volatile long triedAt;
  private volatile long refusedAt;

  /**
   * @param longest the time from its beginning in which requests wait
   */
  Outage(Duration longest) {
    this.longest = longest.toNanos();
  }

  /** Whether its rule is this one. */
  boolean lasts(Duration time) {
    return longest == time.toNanos();
  }

  /**
   * Begins, unless it has begun.
   *
   * @return whether the request that no endpoint took may wait for one
   */
  public boolean begin(long now) {
    long begun = since;
    long before = refusedAt;
    refusedAt = now;
    // One that no request has met for so long was another one: nothing said how it ended.
    if (begun == 0 || (now - begun >= longest && now - before >= longest)) {
      triedAt = now;
      since = now | 1;
      return true;
    }
    return now - begun < longest;
  }

  /** The time at which a request that begins to wait now has waited for as long as it may. */
  public long deadline(long now) {
    return now + longest;
  }

  /** Whether requests have waited in it for as long as they may. */
  public boolean isOver(long now) {
    long begun = since;
    return begun != 0 && now - begun >= longest;
  }

  /**
   * Whether a request that waits may look for an endpoint now: it takes a turn while this lasts.
   */
  public boolean takeTurn(long now) {
    if (since == 0) {
      return true;
    }
    if (now - triedAt < TURN) {
      return false;
    }
    triedAt = now;
    return true;
  }

  /** An endpoint takes requests. */
  void end() {
    // Read first: a shared line that is not written stays in every core's cache.
    if (since != 0) {
      since = 0;
    }
  }
}
