package io.orrery.router.policy;

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
  public static int of(int limit) {
    return limit < LEAST ? 0 : limit / 4;
  }
}
