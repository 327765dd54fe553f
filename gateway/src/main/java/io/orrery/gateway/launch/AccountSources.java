package io.orrery.gateway.launch;

import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.ProxyHeader;
import io.orrery.gateway.auth.SignInWays;
import io.orrery.gateway.auth.openid.OpenIdConfig;
import io.orrery.gateway.auth.openid.OpenIdSignIn;
import io.vertx.core.Vertx;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The configured sources of user accounts.
 *
 * @param passwords whether people sign in with name and password
 * @param openId the provider at which they sign in; null for none
 * @param proxy the header of a proxy that signs them in; null for none
 */
record AccountSources(
    boolean passwords, @Nullable OpenIdConfig openId, @Nullable ProxyHeader proxy) {
  static final AccountSources NONE = new AccountSources(false, null, null);

  /** Whether people have accounts. */
  boolean any() {
    return passwords || openId != null || proxy != null;
  }

  /** The ways in which people sign in. */
  SignInWays ways(
      Vertx vertx, @Nullable String publicUrl, byte[] secret, Clock clock, RandomGenerator random) {
    return new SignInWays(
        passwords,
        openId == null ? null : new OpenIdSignIn(vertx, openId, secret, clock, random),
        proxy,
        publicUrl);
  }
}
