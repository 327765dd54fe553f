package io.orrery.router.policy;

import io.orrery.router.route.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A counter of requests of each client, or of each key, to each service (generic cell rate
 * algorithm: one number for each, the time at which its allowance will be full again). Shared by
 * all loops. Clients write keys as they like, so keys are counted apart from clients: when there
 * are too many, a new one counts for its client, and the allowances of others stay as they are.
 */
public final class Rates {
  static final int MOST = 200_000;

  /** Pauses between two searches for keys that are not needed any more. */
  private static final long PAUSE = 1_000_000_000L;

  private record Payer(String service, String name) {}

  private final Map<Payer, Long> clients = new ConcurrentHashMap<>();
  private final Map<Payer, Long> keys = new ConcurrentHashMap<>();
  private final AtomicLong nextSearch = new AtomicLong(Long.MIN_VALUE);

  /**
   * Whether one more request may be made.
   *
   * @param network by which clients are told apart
   * @param key whose rate it is; null for that of the client
   * @param now nanoseconds
   * @return 0 when it may; else after how many nanoseconds it may
   */
  public long take(
      String service, String network, @Nullable String key, Limits.Rate rate, long now) {
    if (key != null) {
      Payer payer = new Payer(service, key);
      if (keys.containsKey(payer) || hasRoomForKeys(now)) {
        return take(keys, payer, rate, now);
      }
    }
    if (clients.size() >= MOST) {
      expire(clients, now);
      if (clients.size() >= MOST) {
        // An attack from everywhere at once: start anew rather than grow.
        clients.clear();
      }
    }
    return take(clients, new Payer(service, network), rate, now);
  }

  private static long take(Map<Payer, Long> fullAt, Payer payer, Limits.Rate rate, long now) {
    long window = rate.per().toNanos();
    long each = Math.max(1, window / rate.count());
    long[] wait = {0};
    fullAt.compute(
        payer,
        (same, before) -> {
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

  private boolean hasRoomForKeys(long now) {
    if (keys.size() < MOST) {
      return true;
    }
    long next = nextSearch.get();
    if ((next == Long.MIN_VALUE || now - next >= 0)
        && nextSearch.compareAndSet(next, now + PAUSE)) {
      expire(keys, now);
    }
    return keys.size() < MOST;
  }

  /** Forgets those whose allowance is full again; called now and then. */
  public void forget(long now) {
    expire(clients, now);
    expire(keys, now);
  }

  private static void expire(Map<Payer, Long> fullAt, long now) {
    fullAt.values().removeIf(full -> full - now < 0);
  }
}
