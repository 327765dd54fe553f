package io.orrery.gateway.auth;

import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;

/**
 * A token as the server knows it: who holds it, what that allows, and how to recognise it.
 *
 * @param name of its holder, for the log and for the one who looks at the configuration
 * @param sha256 of the token's text, 64 lower-case hexadecimal digits
 */
public record AccessToken(String name, UserRole role, String sha256) {
  /** The entry of a token whose text is at hand. */
  public static AccessToken of(String name, UserRole role, BearerToken token) {
    return new AccessToken(name, role, token.sha256());
  }
}
