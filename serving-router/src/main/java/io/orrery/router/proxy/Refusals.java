package io.orrery.router.proxy;

import io.orrery.router.policy.Denial;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Answers of the router itself, as {@code application/problem+json} (RFC 9457). */
final class Refusals {
  private Refusals() {}

  /** Writes it; does nothing when an answer has begun. */
  static void write(
      HttpServerResponse response, int status, String kind, String title, String detail) {
    write(response, new Denial(status, kind, title, detail));
  }

  /** The same. */
  static void write(HttpServerResponse response, Denial denial) {
    if (response.headWritten() || response.closed()) {
      return;
    }
    response.headers().clear();
    response
        .setStatusCode(denial.status())
        .setChunked(false)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    if (denial.retryAfter() != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, denial.retryAfter());
    }
    response.end(Buffer.buffer(denial.json()));
  }
}
