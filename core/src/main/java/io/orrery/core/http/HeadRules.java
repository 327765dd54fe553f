package io.orrery.core.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the head of an HTTP/1.x request beside those that the codec of Netty keeps (bare
 * line feeds, blanks before a colon, a length beside a transfer coding): a head that two readers of
 * one connection could frame, or route, in two ways is refused (RFC 9112 section 11.2, request
 * smuggling), and so is one that no request may have.
 */
final class HeadRules {
  /** Digits of a length that certainly fits a long. */
  private static final int MOST_DIGITS = 18;

  private HeadRules() {}

  /** The first fault of a head that was decoded; null when it has none. */
  static @Nullable HeadFault fault(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    if (!version.protocolName().equals("HTTP")) {
      return HeadFault.malformed("a request line ends with HTTP/1.1");
    }
    if (version.majorVersion() != 1) {
      return HeadFault.version(version.text());
    }
    HttpHeaders headers = request.headers();
    if (HeadLimits.areTooMany(headers.iteratorCharSequence())) {
      return HeadFault.tooManyFields();
    }
    String fault = framing(headers, version);
    if (fault == null) {
      fault = host(headers, version);
    }
    if (fault == null && request.method().equals(HttpMethod.CONNECT)) {
      // What follows it would be a tunnel's, and no request.
      return HeadFault.connect();
    }
    if (fault == null) {
      fault = requestLine(request);
    }
    return fault == null ? null : HeadFault.malformed(fault);
  }

  private static @Nullable String framing(HttpHeaders headers, HttpVersion version) {
    String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    if (coding != null) {
      if (version.minorVersion() == 0) {
        return "HTTP/1.0 has no Transfer-Encoding";
      }
      if (length != null) {
        return "a request has a Content-Length or a Transfer-Encoding, not both";
      }
      if (!coding.equalsIgnoreCase("chunked")
          || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1) {
        return "the only Transfer-Encoding of a request is chunked";
      }
      return null;
    }
    if (length != null
        && (!isNumber(length) || headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1)) {
      return "a Content-Length is one number of at most " + MOST_DIGITS + " digits";
    }
    return null;
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MOST_DIGITS;
  }

  private static @Nullable String requestLine(HttpRequest request) {
    if (request.headers().contains("")) {
      return "a header has a name";
    }
    if (!isToken(request.method().name())) {
      return "a method is made of letters and a few other characters";
    }
    String fault = characters(request.uri());
    return fault == null ? form(request.uri(), request.method()) : fault;
  }

  /** RFC 3986 section 2: an address is visible ASCII. */
  private static @Nullable String characters(String uri) {
    for (int i = 0; i < uri.length(); i++) {
      char c = uri.charAt(i);
      if (c <= ' ' || c == 127) {
        return "an address has no blanks and no control characters";
      }
      if (c > 127) {
        return "an address is ASCII; other characters are written as the bytes of their UTF-8, each"
            + " as a percent sign and two hexadecimal digits";
      }
    }
    return uri.isEmpty() ? "a request has an address" : null;
  }

  /** The forms of RFC 9112 section 3.2; that of CONNECT is not among them. */
  private static @Nullable String form(String uri, HttpMethod method) {
    if (uri.startsWith("/")) {
      return null;
    }
    if (uri.equals("*")) {
      return method.equals(HttpMethod.OPTIONS) ? null : "the address * is for OPTIONS alone";
    }
    int authority = AbsoluteForm.authority(uri);
    if (authority == 0) {
      return "an address begins with a slash, or with http:// and a host";
    }
    String host = uri.substring(authority, AbsoluteForm.path(uri));
    return host.isEmpty() || !HostName.is(host) ? "the host of the address is no name" : null;
  }

  private static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 127 || "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static @Nullable String host(HttpHeaders headers, HttpVersion version) {
    String host = headers.get(HttpHeaderNames.HOST);
    if (host == null) {
      return version.minorVersion() == 0 ? null : "a request names its Host";
    }
    if (!HostName.is(host)) {
      return "the Host is no name";
    }
    List<String> all = headers.getAll(HttpHeaderNames.HOST);
    return all.size() > 1 ? "a request names one Host" : null;
  }
}
