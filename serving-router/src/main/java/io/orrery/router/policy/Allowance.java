package io.orrery.router.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The allowance of one client or key: the time at which it will be full again (generic cell rate
 * algorithm), and what other router processes have to do with it.
 *
 * @param full nanoseconds
 * @param presumed what was taken for requests that others may have let in, until they tell of them
 * @param weight how many requests come to others for each one that comes here
 * @param asked requests since the process told of them
 * @param admitted of these, those that were let in
 * @param each what one request takes, nanoseconds
 */
record Allowance(long full, long presumed, double weight, long asked, long admitted, long each) {
  /** The bound of {@link #weight}: the part of a process is at least a thousandth. */
  private static final double MOST_WEIGHT = 1_000;

  /** The time after which requests that were not told of are not told any more. */
  private static final Duration UNTOLD = Duration.ofMinutes(1);

  /** A full one. */
  static Allowance whole(long now) {
    return new Allowance(now, 0, 0, 0, 0, 0);
  }

  /** Whether it is full again, and nothing is to be told of it, or was not for long. */
  boolean isForgotten(long now) {
    return full - now < (asked == 0 ? 0 : -UNTOLD.toNanos());
  }

  /**
   * After how many nanoseconds one more request may be let in; 0 for now.
   *
   * @param window the time in which a whole allowance comes back
   */
  long wait(long window, long cost, long now) {
    return Math.max(0, from(now) + cost - now - window);
  }

  /**
   * The allowance after one more request; one that is let in takes the part of others as well.
   *
   * @param isTold whether others are told of it
   */
  Allowance after(boolean isAdmitted, boolean isTold, long cost, long now) {
    long more = isTold ? 1 : 0;
    if (!isAdmitted) {
      return new Allowance(from(now), presumed, weight, asked + more, admitted, cost);
    }
    long others = Math.round(cost * weight);
    return new Allowance(
        from(now) + cost + others, presumed + others, weight, asked + more, admitted + more, cost);
  }

  /**
   * A sum of what others have told since the last time.
   *
   * @param taken what they have let in, nanoseconds
   * @param wanted what they would have taken if they had let in all that came to them
   */
  record Others(long taken, long wanted) {
    static final Others NONE = new Others(0, 0);

    Others plus(Others more) {
      return new Others(taken + more.taken, wanted + more.wanted);
    }
  }

  /**
   * The allowance when others have told. What they have let in takes the place of what was
   * presumed; where that was more, they keep what they would have wanted of it, lest one that has
   * got ahead stays there.
   *
   * @param askedThere requests that came to others lately, in as long a time as those here
   * @param others null when none has told, though some have lately: that is for the next time
   */
  Allowance settled(long askedThere, @Nullable Others others, long now) {
    double there = Math.min(MOST_WEIGHT, (double) askedThere / Math.max(1, asked));
    if (others == null) {
      return new Allowance(from(now), presumed, there, 0, 0, each);
    }
    long right = Math.clamp(presumed, others.taken, Math.max(others.taken, others.wanted));
    return new Allowance(from(now) + right - presumed, 0, there, 0, 0, each);
  }

  private long from(long now) {
    return full - now < 0 ? now : full;
  }
}
