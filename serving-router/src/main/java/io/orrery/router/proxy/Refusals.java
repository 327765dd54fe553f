package io.orrery.router.proxy;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.RouterProblem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
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
  static Future<Void> write(HttpServerResponse response, RouterProblem denial, DateField date) {
    if (response.headWritten() || response.closed()) {
      return Future.succeededFuture();
    }
    fill(response, denial, date);
    return response.end(Buffer.buffer(denial.json()));
  }

  /** The same, and says in HTTP/1.x that the connection ends with it. */
  static Future<Void> writeLast(HttpServerRequest request, RouterProblem denial, DateField date) {
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

  private static void fill(HttpServerResponse response, RouterProblem denial, DateField date) {
    response.headers().clear();
    response
        .setStatusCode(denial.status())
        // That of an endpoint's answer may be there already.
        .setStatusMessage(HttpResponseStatus.valueOf(denial.status()).reasonPhrase())
        .setChunked(false)
        .putHeader(HttpHeaders.DATE, date.value())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    if (denial.retryAfter() != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, denial.retryAfter());
    }
  }

  /** Whether the answer is for the eyes of a person: a plain GET that takes HTML. */
  static boolean wantsPage(HttpServerRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return request.method().equals(HttpMethod.GET)
        && accept != null
        && accept.contains("text/html")
        && !request.headers().contains(HttpHeaders.EXPECT);
  }

  /** Writes a refusal as a page. */
  static void page(HttpServerResponse response, RouterProblem denial, DateField date) {
    fill(response, denial, date);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        .end(
            """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>%s</title>
            <h1>%s</h1><p>%s</p></html>
            """
                .formatted(denial.title(), denial.title(), denial.detail()));
  }

  /** Sends the client to another address, with a cookie. */
  static void redirect(
      HttpServerResponse response, String location, String cookie, DateField date) {
    response
        .setStatusCode(303)
        .putHeader(HttpHeaders.DATE, date.value())
        .putHeader(HttpHeaders.LOCATION, location)
        .putHeader(HttpHeaders.SET_COOKIE, cookie)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("Referrer-Policy", "no-referrer")
        .end();
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
