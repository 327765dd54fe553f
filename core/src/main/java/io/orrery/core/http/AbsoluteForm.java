package io.orrery.core.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;

/** The absolute form of a request's address, {@code http://HOST/PATH} (RFC 9112 section 3.2.2). */
final class AbsoluteForm {
  private AbsoluteForm() {}

  /** Where the host begins; 0 in an address of another form. */
  static int authority(String uri) {
    return uri.regionMatches(true, 0, "http://", 0, 7)
        ? 7
        : uri.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
  }

  /** Where the host of an address of this form ends. */
  static int path(String uri) {
    for (int i = authority(uri); i < uri.length(); i++) {
      if (uri.charAt(i) == '/' || uri.charAt(i) == '?') {
        return i;
      }
    }
    return uri.length();
  }

  /** Gives a request the origin form of its address, and the host there for its Host. */
  static void toOrigin(HttpRequest request) {
    String uri = request.uri();
    int host = authority(uri);
    if (host > 0) {
      request.headers().set(HttpHeaderNames.HOST, uri.substring(host, path(uri)));
      request.setUri(origin(uri, request.method().equals(HttpMethod.OPTIONS)));
    }
  }

  /**
   * The address in origin form: an empty path is a slash, and {@code OPTIONS http://HOST} asks for
   * {@code *} (RFC 9112 section 3.2.4).
   *
   * @param uri of absolute form
   */
  private static String origin(String uri, boolean options) {
    String rest = uri.substring(path(uri));
    if (rest.isEmpty()) {
      return options ? "*" : "/";
    }
    return rest.charAt(0) == '?' ? "/" + rest : rest;
  }
}
