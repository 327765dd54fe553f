package io.orrery.router.proxy;

import io.orrery.core.http.HeadLimits;
import io.orrery.core.trace.Spans;
import io.orrery.router.policy.AmbiguousHeaders;
import io.orrery.router.policy.PassGuard;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules which headers pass, and which are added. What belongs to one connection stays there
 * (RFC 9110 section 7.6.1); what tells of the client is added to what the client says of others,
 * except where there can be only one truth: scheme and host are what this router saw.
 */
final class HeaderRules {
  static final CharSequence X_FORWARDED_FOR = HttpHeaders.createOptimized("x-forwarded-for");
  static final CharSequence X_FORWARDED_PROTO = HttpHeaders.createOptimized("x-forwarded-proto");
  static final CharSequence X_FORWARDED_HOST = HttpHeaders.createOptimized("x-forwarded-host");
  static final CharSequence FORWARDED = HttpHeaders.createOptimized("forwarded");
  static final CharSequence VIA = HttpHeaders.createOptimized("via");
  private static final CharSequence TE = HttpHeaders.createOptimized("te");
  private static final CharSequence KEEP_ALIVE = HttpHeaders.createOptimized("keep-alive");
  private static final CharSequence PROXY_CONNECTION =
      HttpHeaders.createOptimized("proxy-connection");
  private static final CharSequence PROXY_AUTHORIZATION =
      HttpHeaders.createOptimized("proxy-authorization");
  private static final CharSequence PROXY_AUTHENTICATE =
      HttpHeaders.createOptimized("proxy-authenticate");
  private static final CharSequence VIA_1_0 = HttpHeaders.createOptimized("1.0 orrery");
  private static final CharSequence VIA_1_1 = HttpHeaders.createOptimized("1.1 orrery");
  private static final CharSequence VIA_2 = HttpHeaders.createOptimized("2.0 orrery");

  /** Headers that a Connection header may not take away: they are how we tell of the client. */
  private static final List<String> KEPT =
      List.of("host", "content-length", "content-type", "authorization", "cookie", "via");

  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  private HeaderRules() {}

  /**
   * Copies the headers of a request for an endpoint.
   *
   * @param authority the host that the client asked for
   * @param http2 whether the endpoint speaks HTTP/2, where the host is no header
   */
  static void request(
      HttpServerRequest from, MultiMap to, String authority, Peer peer, boolean http2) {
    HttpVersion version = from.version();
    Peer.Told told = peer.told(authority);
    to.setAll(from.headers());
    strip(to, true);
    MaxForwards.countDown(from, to);
    if (version == HttpVersion.HTTP_2 && !http2) {
      joinCookies(to);
    }
    if (http2) {
      to.remove(HttpHeaders.HOST);
    } else {
      to.set(HttpHeaders.HOST, told.authority());
    }
    append(to, X_FORWARDED_FOR, told.address());
    to.set(X_FORWARDED_PROTO, told.scheme());
    to.set(X_FORWARDED_HOST, told.authority());
    append(to, FORWARDED, told.forwarded());
    append(to, VIA, via(version));
    dropParent(to);
  }

  /** Takes the span of the client out of copied headers: with a tracer, ours is the parent. */
  static void dropParent(MultiMap to) {
    if (Spans.areMadeHere()) {
      to.remove(TRACE_PARENT).remove(TRACE_STATE);
    }
  }

  /**
   * Takes what is the platform's out of the head of a request for a guarded service.
   *
   * @param authorization in place of the client's; null for the client's
   */
  static void guarded(MultiMap to, @Nullable String authorization) {
    List<String> kept = PassGuard.passing(to.getAll(HttpHeaders.COOKIE));
    to.remove(HttpHeaders.COOKIE);
    if (!kept.isEmpty()) {
      to.set(HttpHeaders.COOKIE.toString(), kept);
    }
    if (authorization != null) {
      to.set(HttpHeaders.AUTHORIZATION, authorization);
    }
  }

  /** Takes what belongs to the connection out of the head of an answer. */
  static void response(MultiMap from, MultiMap to) {
    to.setAll(from);
    strip(to, false);
  }

  private static void strip(MultiMap headers, boolean request) {
    // It is the connection's, but what the router can do as well is said again (RFC 9110 10.1.4).
    boolean trailers = request && has(headers, TE, "trailers");
    String connection = headers.get(HttpHeaders.CONNECTION);
    if (connection != null) {
      for (String line : headers.getAll(HttpHeaders.CONNECTION)) {
        for (String option : line.split(",")) {
          String name = option.strip().toLowerCase(Locale.ROOT);
          if (!name.isEmpty() && !KEPT.contains(name)) {
            headers.remove(name);
          }
        }
      }
      headers.remove(HttpHeaders.CONNECTION);
      headers.remove(KEEP_ALIVE);
      headers.remove(PROXY_CONNECTION);
      headers.remove(HttpHeaders.UPGRADE);
    } else {
      remove(headers, KEEP_ALIVE);
      remove(headers, PROXY_CONNECTION);
      remove(headers, HttpHeaders.UPGRADE);
    }
    remove(headers, HttpHeaders.TRANSFER_ENCODING);
    remove(headers, request ? PROXY_AUTHORIZATION : PROXY_AUTHENTICATE);
    if (request) {
      remove(headers, Mirror.SHADOW_OF);
      removeTwins(headers);
      remove(headers, TE);
      if (trailers) {
        headers.set(TE, "trailers");
      }
      remove(headers, HttpHeaders.EXPECT);
    }
  }

  private static void removeTwins(MultiMap headers) {
    List<String> twins = List.of();
    for (Map.Entry<String, String> header : headers) {
      if (AmbiguousHeaders.isOne(header.getKey())) {
        // Of hardly any request are there any, and that is to cost nothing.
        twins = twins.isEmpty() ? new ArrayList<>(1) : twins;
        twins.add(header.getKey());
      }
    }
    twins.forEach(headers::remove);
  }

  /** HTTP/2 may say them one by one, HTTP/1.1 may not (RFC 9113 section 8.2.3). */
  private static void joinCookies(MultiMap headers) {
    List<String> cookies = headers.getAll(HttpHeaders.COOKIE);
    if (cookies.size() > 1) {
      headers.set(HttpHeaders.COOKIE, String.join("; ", cookies));
    }
  }

  private static void remove(MultiMap headers, CharSequence name) {
    if (headers.contains(name)) {
      headers.remove(name);
    }
  }

  private static void append(MultiMap headers, CharSequence name, CharSequence value) {
    String before = headers.get(name);
    if (before == null) {
      headers.set(name, value);
    } else {
      List<String> all = headers.getAll(name);
      headers.set(name, String.join(", ", all) + ", " + value);
    }
  }

  private static CharSequence via(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> VIA_1_0;
      case HTTP_1_1 -> VIA_1_1;
      case HTTP_2 -> VIA_2;
    };
  }

  /** Whether a request asks for another protocol on its connection. */
  static boolean upgrades(MultiMap headers) {
    return headers.contains(HttpHeaders.UPGRADE) && has(headers, HttpHeaders.CONNECTION, "upgrade");
  }

  /** Whether a request carries calls of gRPC, which endpoints of HTTP/2 alone understand. */
  static boolean isGrpc(MultiMap headers) {
    String type = headers.get(HttpHeaders.CONTENT_TYPE);
    return type != null && type.startsWith("application/grpc");
  }

  /** Whether the sender says that this is its last message on the connection. */
  static boolean closes(MultiMap headers) {
    return has(headers, HttpHeaders.CONNECTION, "close");
  }

  /** Whether an answer is the last on its connection, because it says so or has no other end. */
  static boolean ends(HttpClientResponse answer) {
    MultiMap headers = answer.headers();
    return answer.version() != HttpVersion.HTTP_2
        && (closes(headers)
            || !(headers.contains(HttpHeaders.CONTENT_LENGTH)
                || headers.contains(HttpHeaders.TRANSFER_ENCODING)
                || bodiless(answer)));
  }

  /** Whether an answer has no body, whatever its headers say (RFC 9112 section 6.3). */
  static boolean bodiless(HttpClientResponse answer) {
    int status = answer.statusCode();
    return answer.request().getMethod().equals(HttpMethod.HEAD) || status == 204 || status == 304;
  }

  /**
   * Whether the router knows what an answer is and where it ends: a status of three digits, no
   * other protocol than was asked for, and no transfer coding but chunks (RFC 9110 section 15, RFC
   * 9112 section 6.1). Other codings are taken off by no part of the router, and a client would
   * take the coded bytes for the content.
   *
   * @param upgrade whether the request asked for another protocol
   */
  static boolean isUnderstood(HttpClientResponse answer, boolean upgrade) {
    int status = answer.statusCode();
    List<String> codings = answer.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    return status >= 100
        && status <= 999
        && (status != 101 || upgrade)
        && !HeadLimits.areTooMany(answer.headers().iterator())
        && (codings.isEmpty()
            || (codings.size() == 1 && codings.getFirst().strip().equalsIgnoreCase("chunked")));
  }

  /** Whether a list has an element, on whichever of its lines (RFC 9110 section 5.3). */
  private static boolean has(MultiMap headers, CharSequence name, String element) {
    if (!headers.contains(name)) {
      return false;
    }
    for (String line : headers.getAll(name)) {
      for (String each : line.split(",")) {
        if (each.strip().equalsIgnoreCase(element)) {
          return true;
        }
      }
    }
    return false;
  }
}
