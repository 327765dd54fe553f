package io.orrery.gateway.auth;

import io.orrery.gateway.auth.openid.OpenIdSignIn;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which people sign in.
 *
 * @param passwords whether accounts have passwords
 * @param openId the provider; null when there is none
 * @param proxy the header of a proxy that signs people in; null when there is none
 * @param publicUrl where browsers reach this server, without a slash at its end; null to take the
 *     address of each request
 */
public record SignInWays(
    boolean passwords,
    @Nullable OpenIdSignIn openId,
    @Nullable ProxyHeader proxy,
    @Nullable String publicUrl) {
  /** No person has an account. */
  public static final SignInWays NONE = new SignInWays(false, null, null, null);

  /** Each person signs in with name and password. */
  public static final SignInWays PASSWORDS = new SignInWays(true, null, null, null);

  /** Whether people have accounts. */
  public boolean users() {
    return passwords || openId != null || proxy != null;
  }
}
