package io.orrery.router.policy;

import java.util.function.IntPredicate;

/**
 * The last quarter of a limit, which is for clients that have no more than so many requests under
 * way. So one client, whatever it does, keeps no other out. A small limit is what an endpoint can
 * bear, and has none.
 */
public final class Reserve {
  /** The smallest limit that has one. */
  static final int LEAST = 64;

  private Reserve() {}

  /** How many of a limit they are. */
  static int of(int limit) {
    return limit < LEAST ? 0 : limit / 4;
  }

  /**
   * Whether a client may use one more of a limit.
   *
   * @param used how many are in use
   * @param hasFew whether the client has at most so many requests under way; asked when no more is
   *     left than the last quarter
   */
  public static boolean allows(int limit, int used, IntPredicate hasFew) {
    int reserve = of(limit);
    return used < limit - reserve || (used < limit && hasFew.test(reserve));
  }
}
