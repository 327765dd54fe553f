package io.orrery.gateway.auth;

import io.orrery.gateway.http.PathPrefix;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** Writes the cookie of a session, which no script reads and no foreign page sends. */
final class SessionCookie {
  /** How long a session lasts. */
  static final Duration LIFE = Duration.ofHours(12);

  private SessionCookie() {}

  /** Sets it in the answer; empty and for no time ends it. */
  static void set(RoutingContext context, String value, long seconds) {
    set(context, value, seconds, isSecure(context.request()));
  }

  /** The same where no origin tells whether the page came over TLS. */
  static void set(RoutingContext context, String value, long seconds, boolean secure) {
    add(
        context,
        Cookie.cookie(ShownSecret.COOKIE, value)
            .setPath(PathPrefix.of(context.request()) + "/")
            .setHttpOnly(true)
            .setSameSite(CookieSameSite.STRICT)
            .setSecure(secure)
            .setMaxAge(seconds));
  }

  /** Adds a cookie to an answer that may have others. */
  static void add(RoutingContext context, Cookie cookie) {
    context.response().headers().add(HttpHeaders.SET_COOKIE, cookie.encode());
  }

  /** Whether the page came over TLS, from us or from the proxy before us: a checked origin says. */
  private static boolean isSecure(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return request.isSSL() || (origin != null && origin.startsWith("https://"));
  }
}
