package io.orrery.orchestrator.submission;

import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket (as in ITU-T I.371, there called a leaky bucket): it fills at the rate of its
 * limit up to the burst, and each submission takes one out. All on one context.
 */
final class Pace {
  private static final double NANOS = 1e9;

  private final RateLimit limit;
  private final Clock clock;
  private double tokens;
  private Instant filledAt;

  Pace(RateLimit limit, Clock clock) {
    this.limit = limit;
    this.clock = clock;
    this.tokens = limit.burst();
    this.filledAt = clock.now();
  }

  RateLimit limit() {
    return limit;
  }

  /** Takes a token; false when there is none. */
  boolean take() {
    fill();
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  /** How long it takes until there is one. */
  Duration untilNext() {
    fill();
    double missing = Math.max(0, 1 - tokens);
    return Duration.ofNanos((long) Math.ceil(missing / limit.perSecond() * NANOS));
  }

  private void fill() {
    Instant now = clock.now();
    // A clock that was set back gives nothing and takes nothing.
    double seconds = Math.max(0, Duration.between(filledAt, now).toNanos() / NANOS);
    tokens = Math.min(limit.burst(), tokens + seconds * limit.perSecond());
    filledAt = now;
  }
}
