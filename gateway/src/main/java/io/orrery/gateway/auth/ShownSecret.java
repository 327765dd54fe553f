package io.orrery.gateway.auth;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.problem.Problem;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The secret that a request shows: a bearer token, the cookie of a session, or the password of
 * basic authentication (RFC 7617). That is taken from MLflow's clients alone, which have nothing
 * else for a name and a password; the password may be a token.
 */
final class ShownSecret {
  static final String COOKIE = "orrery_session";

  private static final String BASIC = "basic ";
  private static final String MLFLOW = "/api/2.0/mlflow";
  private static final int MOST_CHARACTERS = 512;

  private ShownSecret() {}

  /** A name with its password. */
  record Basic(String user, String password) {
    /** Never the password. */
    @Override
    public String toString() {
      return "Basic[" + user + "]";
    }
  }

  /**
   * The secret, by header or by cookie; null when none is shown.
   *
   * @throws io.orrery.core.problem.ProblemException Unauthorized for another kind of header
   */
  static @Nullable String of(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return cookie(request);
    }
    String token = BearerToken.shown(header);
    if (token != null) {
      return token;
    }
    Basic basic = basic(request);
    if (basic == null) {
      throw new Problem.Unauthorized("The Authorization header is 'Bearer' and a token.")
          .toException();
    }
    return basic.password();
  }

  /** Whether a request shows a session at most, and no secret in its head. */
  static boolean isCookie(HttpServerRequest request) {
    return request.getHeader(HttpHeaders.AUTHORIZATION) == null;
  }

  /** The name and password of a client of MLflow's; null when none are shown. */
  static @Nullable Basic basic(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null
        || header.length() > MOST_CHARACTERS
        || !header.toLowerCase(Locale.ROOT).startsWith(BASIC)
        || !String.valueOf(request.path()).startsWith(MLFLOW)) {
      return null;
    }
    try {
      String both =
          new String(
              Base64.getDecoder().decode(header.substring(BASIC.length()).strip()),
              StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      return colon < 0 ? null : new Basic(both.substring(0, colon), both.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The secret of the session that a request shows; null when it shows none. */
  static @Nullable String cookie(HttpServerRequest request) {
    Cookie cookie = request.getCookie(COOKIE);
    return cookie == null || cookie.getValue().length() > MOST_CHARACTERS
        ? null
        : cookie.getValue();
  }
}
