package io.orrery.router.policy;

import io.orrery.router.route.Limits;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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

  /**
   * A client or a key that asks for a service.
   *
   * @param name the network of the client, or the digest of the key
   */
  record Payer(String service, String name, boolean isKey) {}

  private final Map<Payer, Allowance> clients = new ConcurrentHashMap<>();
  private final Map<Payer, Allowance> keys = new ConcurrentHashMap<>();
  private final AtomicLong nextSearch = new AtomicLong(Long.MIN_VALUE);

  /** Those that have asked since others were told; null while nothing is told. */
  private final AtomicReference<@Nullable Set<Payer>> asking = new AtomicReference<>();

  /**
   * Whether one more request may be made.
   *
   * @param network by which clients are told apart
   * @param key whose rate it is; null for that of the client
   * @param isShared whether all router processes have the rate together
   * @param now nanoseconds
   * @return 0 when it may; else after how many nanoseconds it may
   */
  public long take(
      String service,
      String network,
      @Nullable String key,
      Limits.Rate rate,
      boolean isShared,
      long now) {
    if (key != null) {
      Payer payer = new Payer(service, key, true);
      if (keys.containsKey(payer) || hasRoomForKeys(now)) {
        return take(payer, rate, isShared, now);
      }
    }
    if (clients.size() >= MOST) {
      expire(clients, now);
      if (clients.size() >= MOST) {
        // An attack from everywhere at once: start anew rather than grow.
        clients.clear();
      }
    }
    return take(new Payer(service, network, false), rate, isShared, now);
  }

  private long take(Payer payer, Limits.Rate rate, boolean isShared, long now) {
    long window = rate.per().toNanos();
    long each = Math.max(1, window / rate.count());
    Set<Payer> told = isShared ? asking.get() : null;
    long[] wait = {0};
    map(payer)
        .compute(
            payer,
            (same, before) -> {
              Allowance from = before == null ? Allowance.whole(now) : before;
              wait[0] = from.wait(window, each, now);
              return from.after(wait[0] == 0, told != null, each, now);
            });
    if (told != null) {
      told.add(payer);
    }
    return wait[0];
  }

  private Map<Payer, Allowance> map(Payer payer) {
    return payer.isKey() ? keys : clients;
  }

  /** Those that have asked under a shared rate since the last call; none before the first one. */
  Set<Payer> drainAsking() {
    Set<Payer> before = asking.getAndSet(ConcurrentHashMap.newKeySet());
    return before == null ? Set.of() : before;
  }

  /** Has one be told of at the next call of {@link #drainAsking}. */
  void tellLater(Payer payer) {
    Set<Payer> next = asking.get();
    if (next != null) {
      next.add(payer);
    }
  }

  /** The present allowance; null when it is full and nothing is known of it. */
  @Nullable Allowance find(Payer payer) {
    return map(payer).get(payer);
  }

  /**
   * Takes what other processes have let in; see {@link Allowance#settled}.
   *
   * @return the allowance before; null when there was none
   */
  @Nullable Allowance settle(
      Payer payer, long askedThere, Allowance.@Nullable Others others, long now) {
    Map<Payer, Allowance> all = map(payer);
    boolean hasRoom = all.size() < MOST;
    Allowance[] found = {null};
    all.compute(
        payer,
        (same, before) -> {
          found[0] = before;
          if (before == null && (others == null || others.taken() == 0 || !hasRoom)) {
            return null;
          }
          Allowance from = before == null ? Allowance.whole(now) : before;
          return from.settled(askedThere, others, now);
        });
    return found[0];
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

  private static void expire(Map<Payer, Allowance> all, long now) {
    all.values().removeIf(each -> each.isForgotten(now));
  }
}
