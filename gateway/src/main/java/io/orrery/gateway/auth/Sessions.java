package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The browsers that are logged in. Sessions live in memory: a restart ends them, and there is no
 * file to steal. The table is bounded, the oldest goes first; it is looked up by fingerprint, so
 * that the time of a lookup tells nothing of a secret.
 */
final class Sessions {
  /** How long a login lasts. */
  static final Duration LIFE = Duration.ofHours(12);

  private static final int MOST = 1_000;

  /** The most sessions of one caller: logging in does not log out the others. */
  private static final int MOST_OF_ONE = 100;

  private final Clock clock;
  private final RandomGenerator random;
  private final Map<String, Session> byDigest =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
          return size() > MOST;
        }
      };

  private record Session(Caller caller, long endMillis) {}

  Sessions(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** The secret of a new session. */
  String open(Caller caller) {
    BearerToken secret = BearerToken.random(random);
    makeRoom(caller);
    byDigest.put(secret.sha256(), new Session(caller, clock.millis() + LIFE.toMillis()));
    return secret.text();
  }

  private void makeRoom(Caller caller) {
    List<String> own =
        byDigest.entrySet().stream()
            .filter(entry -> entry.getValue().caller().equals(caller))
            .map(Map.Entry::getKey)
            .toList();
    own.stream().limit(Math.max(0, own.size() + 1 - MOST_OF_ONE)).forEach(byDigest::remove);
  }

  Optional<Caller> find(String secret) {
    String digest = new BearerToken(secret).sha256();
    Session session = byDigest.get(digest);
    if (session != null && session.endMillis() <= clock.millis()) {
      byDigest.remove(digest);
      return Optional.empty();
    }
    return Optional.ofNullable(session).map(Session::caller);
  }

  void end(String secret) {
    byDigest.remove(new BearerToken(secret).sha256());
  }
}
