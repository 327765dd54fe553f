package io.orrery.router.policy;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.router.route.OriginAccess;
import java.time.Instant;
import java.util.Map;

/**
 * The passes that were found good, so that the mac of one is computed once and not with each
 * request that shows it. Used on one event loop.
 */
final class KnownPasses {
  /** Those that are kept. */
  static final int MOST = 4_096;

  private final OriginPasses passes;
  private final Map<String, Known> known = new LeastRecentlyUsed<>(MOST);

  /**
   * A good pass, for this alone.
   *
   * @param expiry the second of its end
   */
  private record Known(String audience, long epoch, long expiry) {}

  KnownPasses(OriginPasses passes) {
    this.passes = passes;
  }

  /** Whether a text is a pass for a service that is still good. */
  boolean isGood(String text, OriginAccess access, Instant now) {
    Known before = known.get(text);
    if (before != null
        && before.epoch == access.epoch()
        && before.audience.equals(access.audience())) {
      return now.getEpochSecond() < before.expiry;
    }
    if (!passes.isPass(text, access.audience(), access.epoch(), now)) {
      return false;
    }
    long expiry = Long.parseLong(text.substring(0, text.indexOf('.')));
    known.put(text, new Known(access.audience(), access.epoch(), expiry));
    return true;
  }
}
