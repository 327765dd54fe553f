package io.orrery.router.proxy;

import io.netty.handler.codec.http2.Http2Error;
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
  static Future<Void> write(
      HttpServerResponse response, int status, String kind, String title, String detail) {
    return write(response, new Denial(status, kind, title, detail));
  }

  /** The same. */
  static Future<Void> write(HttpServerResponse response, Denial denial) {
    if (response.headWritten() || response.closed()) {
      return Future.succeededFuture();
    }
    fill(response, denial);
    return response.end(Buffer.buffer(denial.json()));
  }

  /** The same, and says in HTTP/1.x that the connection ends with it. */
  static Future<Void> writeLast(HttpServerRequest request, Denial denial) {
    HttpServerResponse response = request.response();
    if (response.headWritten() || response.closed()) {
      return Future.succeededFuture();
    }
    fill(response, denial);
    if (request.version() != HttpVersion.HTTP_2) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    return response.end(Buffer.buffer(denial.json()));
  }

  private static void fill(HttpServerResponse response, Denial denial) {
    response.headers().clear();
    response
        .setStatusCode(denial.status())
        .setChunked(false)
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
