package io.orrery.core.text;

import java.util.Locale;

/** The path of a URL. */
public final class UrlPath {
  private UrlPath() {}

  /**
   * Whether a part of a path is one dot or two (RFC 3986, section 5.2.4): it names another address
   * than it seems to, for a program that resolves it. Dots and slashes that are written as {@code
   * %XX} count, and so do backslashes, since some decode before they resolve.
   */
  public static boolean hasDotSegments(String path) {
    String plain =
        path.toLowerCase(Locale.ROOT)
            .replace("%2e", ".")
            .replace("%2f", "/")
            .replace("%5c", "/")
            .replace('\\', '/');
    String whole = "/" + plain + "/";
    return whole.contains("/./") || whole.contains("/../");
  }
}
