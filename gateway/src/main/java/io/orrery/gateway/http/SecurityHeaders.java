package io.orrery.gateway.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * The security headers of every response: no sniffing of types, no referrer, no frames. They are
 * encoded once, because encoding them for each response would be a tenth of the cost of a short
 * request.
 */
public final class SecurityHeaders {
  private static final CharSequence TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence REFERRER = HttpHeaders.createOptimized("Referrer-Policy");
  private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");
  private static final CharSequence CONTENT_POLICY =
      HttpHeaders.createOptimized("Content-Security-Policy");
  private static final CharSequence NO_FRAMES =
      HttpHeaders.createOptimized("frame-ancestors 'none'");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

  private SecurityHeaders() {}

  /** The same as lines, each with its CRLF, for answers that are written as bytes. */
  public static String lines() {
    return line(TYPE_OPTIONS, NO_SNIFF)
        + line(REFERRER, NO_REFERRER)
        + line(CONTENT_POLICY, NO_FRAMES)
        + line(HttpHeaders.CACHE_CONTROL, NO_STORE);
  }

  private static String line(CharSequence name, CharSequence value) {
    return name + ": " + value + "\r\n";
  }

  static void on(HttpServerResponse response) {
    response
        .putHeader(TYPE_OPTIONS, NO_SNIFF)
        .putHeader(REFERRER, NO_REFERRER)
        .putHeader(CONTENT_POLICY, NO_FRAMES)
        .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
  }
}
