package io.orrery.benchmarks.router.hostile;

import java.io.IOException;

/**
 * A way of being hostile.
 *
 * @param connections open at the same time
 * @param script on each of them, again and again until the attack ends
 */
record HostileKind(String name, int connections, Script script) {
  /** A connection's life: it ends by returning, or by an exception when the router closes it. */
  @FunctionalInterface
  interface Script {
    void play(HostilePeer router) throws IOException, InterruptedException;
  }
}
