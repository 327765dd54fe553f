package io.orrery.router.route;

import io.orrery.core.digest.Sha256;
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
  public record Rate(int count, Duration per, RequestKey by) {
    /** Bytes of the digest of a key, which may be a secret and is as long as clients like. */
    private static final int DIGEST = 16;

    /** Whether each client has it, and keys do not count. */
    public boolean isByClient() {
      return by instanceof RequestKey.Client;
    }

    /** The key that a request counts for, as a digest; null where it counts for its client. */
    public @Nullable String keyOf(RequestFacts request) {
      String key = isByClient() ? null : by.of(request);
      return key == null ? null : Sha256.hex(key, DIGEST);
    }
  }
}
