package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of clients that send name and password with each request. A password is slow to check on
 * purpose, so the first request signs in and the others use its session; when that is over, because
 * it expired or the password was changed, the next one signs in again. Used on one event loop.
 */
final class BasicLogins {
  private static final int MOST = 1_000;

  private final Bus bus;
  private final Identities users;
  private final RandomGenerator random;

  /** The digests of sessions by the digest of name and password. */
  private final Map<String, String> sessions = new LeastRecentlyUsed<>(MOST);

  /** Sign-ins under way, which requests that come together wait for. */
  private final Map<String, Future<@Nullable Caller>> pending = new HashMap<>();

  BasicLogins(Bus bus, Identities users, RandomGenerator random) {
    this.bus = bus;
    this.users = users;
    this.random = random;
  }

  /**
   * The user of a request; null when it shows no name and password, or wrong ones.
   *
   * @param check throws Busy when the address of the request has failed too often
   */
  Future<@Nullable Caller> find(HttpServerRequest request, Runnable check) {
    ShownSecret.Basic basic = ShownSecret.basic(request);
    if (basic == null || basic.password().length() > People.MOST_PASSWORD) {
      return Future.succeededFuture();
    }
    String key = Sha256.hex(basic.user().length() + ":" + basic.user() + basic.password());
    String session = sessions.get(key);
    Future<@Nullable Caller> known =
        session == null ? Future.succeededFuture() : users.find(session);
    return known.compose(caller ->
        caller == null ? signIn(request, basic, key, check) : Future.succeededFuture(caller));
  }

  private Future<@Nullable Caller> signIn(
      HttpServerRequest request, ShownSecret.Basic basic, String key, Runnable check) {
    Future<@Nullable Caller> underWay = pending.get(key);
    if (underWay != null) {
      return underWay;
    }
    check.run();
    String session = BearerToken.random(random).sha256();
    Future<@Nullable Caller> signedIn =
        bus.request(
                People.SIGN_IN,
                new People.SignIn(
                    basic.user(),
                    basic.password(),
                    session,
                    Objects.requireNonNullElse(request.remoteAddress().hostAddress(), "")))
            .compose(user -> {
              sessions.put(key, session);
              return users.find(session);
            })
            .recover(failure ->
                Problem.of(failure) instanceof Problem.Unauthorized
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
    pending.put(key, signedIn);
    return signedIn.onComplete(done -> pending.remove(key));
  }
}
