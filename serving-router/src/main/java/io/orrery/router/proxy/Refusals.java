package io.orrery.router.proxy;

import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.Denial;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** Answers of the router itself, as {@code application/problem+json} (RFC 9457). */
final class Refusals {
  private Refusals() {}

  /**
   * Writes it; does nothing when an answer has begun.
   *
   * @return completes when it is written
   */
  static Future<Void> write(HttpServerResponse response, Denial denial, DateField date) {
    if (response.headWritten() || response.closed()) {
      return Future.succeededFuture();
    }
    fill(response, denial, date);
    return response.end(Buffer.buffer(denial.json()));
  }

  /** The same, and says in HTTP/1.x that the connection ends with it. */
  static Future<Void> writeLast(HttpServerRequest request, Denial denial, DateField date) {
    HttpServerResponse response = request.response();
    if (response.headWritten() || response.closed()) {
      return Future.succeededFuture();
    }
    fill(response, denial, date);
    if (request.version() != HttpVersion.HTTP_2) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    return response.end(Buffer.buffer(denial.json()));
  }

  private static void fill(HttpServerResponse response, Denial denial, DateField date) {
    response.headers().clear();
    response
        .setStatusCode(denial.status())
        .setChunked(false)
        .putHeader(HttpHeaders.DATE, date.value())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    if (denial.retryAfter() != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, denial.retryAfter());
    }
  }

  /**
   * Hears no more of a request: ends its stream, which in HTTP/1 is all of the connection.
   *
   * @param why nothing happens to a stream that both sides have ended
   */
  static void hangUp(HttpServerRequest request, Http2Error why) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(why.code());
    } else {
      request.connection().close();
    }
  }
}
