package io.orrery.core.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Encodes text as a part of a URL. */
public final class Percent {
  private Percent() {}

  /**
   * Text as a part of a path or of a query: all but letters, digits and {@code -._~} as {@code %XX}
   * (RFC 3986, section 2.3), a space therefore as {@code %20}.
   */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }
}
