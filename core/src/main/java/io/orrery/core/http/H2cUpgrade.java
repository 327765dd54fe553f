package io.orrery.core.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;

/**
 * The upgrade of a connection from HTTP/1.1 to HTTP/2 ({@code Upgrade: h2c}, RFC 7540 section 3.2,
 * obsolete since RFC 9113). It is granted for the first request of a connection only; elsewhere,
 * and where it is not well-formed, it is ignored, as a server may (RFC 9110 section 7.8): passed on
 * to an endpoint it would open a tunnel past the router.
 */
final class H2cUpgrade {
  private static final String SETTINGS = "HTTP2-Settings";

  private H2cUpgrade() {}

  /** Takes the wish away, if there is one and it cannot be granted. */
  static void ignoreUnlessUsable(HttpRequest request, boolean first) {
    HttpHeaders headers = request.headers();
    if (isAsked(headers) && !(first && isUsable(headers))) {
      ignore(headers);
    }
  }

  static void ignore(HttpHeaders headers) {
    if (isAsked(headers)) {
      headers.remove(HttpHeaderNames.UPGRADE);
      headers.remove(SETTINGS);
    }
  }

  private static boolean isAsked(HttpHeaders headers) {
    for (String line : headers.getAll(HttpHeaderNames.UPGRADE)) {
      if (line.toLowerCase(Locale.ROOT).contains("h2c")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUsable(HttpHeaders headers) {
    String connection = String.join(",", headers.getAll(HttpHeaderNames.CONNECTION));
    return headers.getAll(HttpHeaderNames.UPGRADE).size() == 1
        && "h2c".equalsIgnoreCase(headers.get(HttpHeaderNames.UPGRADE))
        && headers.getAll(SETTINGS).size() == 1
        && has(connection, "upgrade")
        && has(connection, SETTINGS)
        && areSettings(headers.get(SETTINGS));
  }

  private static boolean has(String list, String option) {
    for (String each : list.split(",", -1)) {
      if (each.strip().equalsIgnoreCase(option)) {
        return true;
      }
    }
    return false;
  }

  private static boolean areSettings(String text) {
    try {
      settings(text);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Throws a RuntimeException for what is not Base64, is cut short, or has a value out of range.
   */
  private static Http2Settings settings(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
    Http2Settings settings = new Http2Settings();
    while (bytes.hasRemaining()) {
      settings.put((char) bytes.getShort(), (Long) (bytes.getInt() & 0xffffffffL));
    }
    return settings;
  }
}
