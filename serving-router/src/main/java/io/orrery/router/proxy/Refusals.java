package io.orrery.router.proxy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** Answers of the router itself, as {@code application/problem+json} (RFC 9457). */
final class Refusals {
  private Refusals() {}

  /** Writes it; does nothing when an answer has begun. */
  static void write(
      HttpServerResponse response, int status, String kind, String title, String detail) {
    write(response, status, kind, title, detail, null);
  }

  /** The same with a Retry-After, in seconds; null for none. */
  static void write(
      HttpServerResponse response,
      int status,
      String kind,
      String title,
      String detail,
      @Nullable String retryAfter) {
    if (response.headWritten() || response.closed()) {
      return;
    }
    String body =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "/problems/" + kind)
            .put("title", title)
            .put("status", status)
            .put("detail", detail)
            .toString();
    response.headers().clear();
    response
        .setStatusCode(status)
        .setChunked(false)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    if (retryAfter != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    response.end(Buffer.buffer(body));
  }
}
