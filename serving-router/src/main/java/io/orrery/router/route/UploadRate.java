package io.orrery.router.route;

import java.time.Duration;

/**
 * A minimum rate at which the body of a request comes.
 *
 * @param bytes for each second
 * @param window over which they are counted; a body that is slower for one of these is refused
 */
public record UploadRate(long bytes, Duration window) {
  /** Bytes that come in one window at this rate, at least one. */
  public long ofWindow() {
    return Math.max(1, bytes * window.toMillis() / 1_000);
  }
}
