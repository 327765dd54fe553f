package io.orrery.router.policy;

import io.orrery.router.route.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A counter of requests of each client to each service (generic cell rate algorithm: one number for
 * each client, the time at which its allowance will be full again). Shared by all loops.
 */
public final class Rates {
  private static final int MOST_CLIENTS = 200_000;

  private record Client(String service, String network) {}

  private final Map<Client, Long> fullAt = new ConcurrentHashMap<>();

  /**
   * Whether the client may make one more request.
   *
   * @param network by which clients are told apart
   * @param now nanoseconds
   * @return 0 when it may; else after how many nanoseconds it may
   */
  public long take(String service, String network, Limits.Rate rate, long now) {
    if (fullAt.size() >= MOST_CLIENTS) {
      forget(now);
    }
    long window = rate.per().toNanos();
    long each = Math.max(1, window / rate.count());
    long[] wait = {0};
    fullAt.compute(
        new Client(service, network),
        (client, before) -> {
          long full = before == null || before - now < 0 ? now : before;
          long after = full + each;
          if (after - now > window) {
            wait[0] = after - now - window;
            return full;
          }
          return after;
        });
    return wait[0];
  }

  /** Forgets who has been quiet; called now and then. */
  public void forget(long now) {
    fullAt.values().removeIf(full -> full - now < 0);
    if (fullAt.size() >= MOST_CLIENTS) {
      // An attack from everywhere at once: start anew rather than grow.
      fullAt.clear();
    }
  }
}
