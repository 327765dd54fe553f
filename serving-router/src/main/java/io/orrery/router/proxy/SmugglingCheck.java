package io.orrery.router.proxy;

import io.orrery.core.http.HeadFault;
import io.orrery.core.http.HeadLimits;
import io.orrery.core.http.HostName;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the head of an HTTP/2 request: what a reader of HTTP/1.1 behind the router could
 * take for another request is not passed on (RFC 9113 section 10.3). Those for HTTP/1.1 are kept by
 * {@link io.orrery.core.http.StrictRequests}.
 */
final class SmugglingCheck {
  /** The bytes of a request line beside method and address: two blanks and {@code HTTP/1.1}. */
  private static final int REST_OF_LINE = 10;

  private SmugglingCheck() {}

  /**
   * The fault of the head of a request of HTTP/2; null when it has none.
   *
   * @param mostLine bytes that it may have as a request line of HTTP/1.1
   */
  static @Nullable HeadFault fault(HttpServerRequest request, int mostLine) {
    if (HeadLimits.areTooMany(request.headers().iterator())) {
      return HeadFault.tooManyFields();
    }
    String form = form(request);
    if (form != null) {
      return HeadFault.malformed(form);
    }
    String uri = request.uri(); // a CONNECT has none
    int address = uri == null ? 0 : uri.length();
    return request.method().name().length() + address + REST_OF_LINE > mostLine
        ? HeadFault.tooLongLine(mostLine)
        : null;
  }

  private static @Nullable String form(HttpServerRequest request) {
    MultiMap headers = request.headers();
    if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
      return "this version of HTTP has no Transfer-Encoding";
    }
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    if (length != null && !digits(length)) {
      return "a Content-Length is one number";
    }
    if (headers.contains("")) {
      return "a header has a name";
    }
    String uri = request.uri();
    if ((uri != null && !visible(uri)) || !visible(request.method().name())) {
      return "a method and an address have no blanks, no control characters and nothing but ASCII";
    }
    return http2(request);
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
      if (c <= ' ' || c >= 127) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether a text has nothing beyond ASCII. */
  static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 128);
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
}
