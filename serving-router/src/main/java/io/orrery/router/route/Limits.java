package io.orrery.router.route;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits on what a service can bear.
 *
 * @param connections open at once to each endpoint, in all event loops together
 * @param pending requests that wait for a connection
 * @param requests in flight at once
 * @param rate of one client, or of one key; null for no limit
 * @param priorities which requests are shed first; null when all are alike
 */
public record Limits(
    int connections,
    int pending,
    int requests,
    @Nullable Rate rate,
    @Nullable Priorities priorities) {
  public static final Limits DEFAULT = new Limits(1024, 1024, 4096, null, null);

  /**
   * Requests in a time.
   *
   * @param count also how many may come at once
   * @param by tells apart those that have one each; a request without such a key counts for its
   *     client
   */
  public record Rate(int count, Duration per, RequestKey by) {}
}
