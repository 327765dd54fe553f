package io.orrery.router.proxy;

import io.orrery.router.policy.HostName;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What two readers of one connection could read differently is not passed on (RFC 9112 section 11:
 * request smuggling). The codec refuses most of it: bare line feeds, blanks before a colon, folded
 * lines, lengths that contradict each other or a transfer coding. This is the rest.
 */
final class Hygiene {
  private Hygiene() {}

  /** What is wrong with a request's head; null when nothing is. */
  static @Nullable String fault(HttpServerRequest request) {
    MultiMap headers = request.headers();
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    String coding = headers.get(HttpHeaders.TRANSFER_ENCODING);
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    if (coding != null) {
      if (http2 || request.version() == HttpVersion.HTTP_1_0) {
        return "this version of HTTP has no Transfer-Encoding";
      }
      if (length != null) {
        return "a request has a Content-Length or a Transfer-Encoding, not both";
      }
      if (!coding.equalsIgnoreCase("chunked")
          || headers.getAll(HttpHeaders.TRANSFER_ENCODING).size() > 1) {
        return "the only Transfer-Encoding of a request is chunked";
      }
    } else if (length != null && !digits(length)) {
      return "a Content-Length is one number";
    }
    if (headers.contains("")) {
      return "a header has a name";
    }
    String uri = request.uri(); // a CONNECT of HTTP/2 has none
    if ((uri != null && !visible(uri)) || !visible(request.method().name())) {
      return "a method and an address have no blanks and no control characters";
    }
    return http2 ? http2(request) : host(headers, request.version());
  }

  private static boolean digits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= 18;
  }

  /** Where lengths frame everything, a line end is an ordinary character; behind us it is none. */
  private static @Nullable String http2(HttpServerRequest request) {
    for (Map.Entry<String, String> header : request.headers()) {
      if (!oneLine(header.getKey()) || !oneLine(header.getValue())) {
        return "a header is one line";
      }
    }
    HostAndPort authority = request.authority(true);
    return authority == null || !HostName.is(authority.host()) ? "the authority is no name" : null;
  }

  /** Whether a text can stand in the first line of a request. */
  static boolean visible(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == 127) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether a text can stand in a header. */
  static boolean oneLine(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\r' || c == '\n' || c == 0) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String host(MultiMap headers, HttpVersion version) {
    String host = headers.get(HttpHeaders.HOST);
    if (host == null) {
      return version == HttpVersion.HTTP_1_0 ? null : "a request names its Host";
    }
    if (!HostName.is(host)) {
      return "the Host is no name";
    }
    List<String> all = headers.getAll(HttpHeaders.HOST);
    return all.size() > 1 ? "a request names one Host" : null;
  }
}
