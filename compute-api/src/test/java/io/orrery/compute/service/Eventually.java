package io.orrery.compute.service;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
public final class Eventually {
  /** The longest wait: for what never comes, not for what comes late on a busy machine. */
  public static final Duration LIMIT = Duration.ofSeconds(180);

  private Eventually() {}

  /**
   * Looks every few milliseconds until the condition holds; fails after three minutes, so that a
   * busy machine is not a broken one.
   */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        fail("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(3_000_000);
    }
  }
}
