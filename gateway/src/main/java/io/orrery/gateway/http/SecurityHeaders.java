package io.orrery.gateway.http;

import io.vertx.core.http.HttpServerResponse;

/**
 * What browsers are told on every answer: take the type as said, leak no address, frame nothing.
 */
final class SecurityHeaders {
  private SecurityHeaders() {}

  static void on(HttpServerResponse response) {
    response
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Content-Security-Policy", "frame-ancestors 'none'")
        .putHeader("Cache-Control", "no-store");
  }
}
