package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.access.UserName;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of users whom a proxy names in each request. The first request opens one, and an account
 * when there is none; the others use it, so that a user who is disabled is out as from any other
 * session. Used on one event loop.
 */
final class ProxyLogins {
  private static final int MOST = 10_000;

  private final Bus bus;
  private final Identities users;
  private final RandomGenerator random;
  private final Map<UserName, String> sessions = new LeastRecentlyUsed<>(MOST);

  /** Sign-ins under way, which requests that come together wait for. */
  private final Map<UserName, Future<@Nullable Caller>> pending = new HashMap<>();

  ProxyLogins(Bus bus, Identities users, RandomGenerator random) {
    this.bus = bus;
    this.users = users;
    this.random = random;
  }

  /** The digest of the session of a user; null before the first request. */
  @Nullable String session(UserName name) {
    return sessions.get(name);
  }

  /** The caller; fails with Forbidden when the account is disabled. */
  Future<@Nullable Caller> find(UserName name, String from) {
    String session = sessions.get(name);
    Future<@Nullable Caller> known =
        session == null ? Future.succeededFuture() : users.find(session);
    return known.compose(
        caller -> caller == null ? signIn(name, from) : Future.succeededFuture(caller));
  }

  private Future<@Nullable Caller> signIn(UserName name, String from) {
    Future<@Nullable Caller> underWay = pending.get(name);
    if (underWay != null) {
      return underWay;
    }
    String session = BearerToken.random(random).sha256();
    Future<@Nullable Caller> signedIn =
        bus.request(
                People.EXTERNAL_SIGN_IN,
                new People.ExternalSignIn(name, null, "", "", null, session, from))
            .compose(user -> {
              sessions.put(name, session);
              return users.find(session);
            });
    pending.put(name, signedIn);
    return signedIn.onComplete(done -> pending.remove(name));
  }
}
