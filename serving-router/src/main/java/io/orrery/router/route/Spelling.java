package io.orrery.router.route;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Checks of what a rule compares a request with: a rule is compared with the bytes that a client
 * sends, so one that no request can be spelled like never fits.
 */
final class Spelling {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

  private Spelling() {}

  /**
   * What is wrong with the path of a rule, and the spelling that fits; null when nothing is. A path
   * is visible ASCII up to the question mark of the query (RFC 3986 section 3.3).
   */
  static @Nullable String ofPath(String path) {
    if (!path.startsWith("/")) {
      return "a path begins with a slash; not '" + path + "'";
    }
    int query = path.indexOf('?');
    if (query >= 0) {
      return "'%s' never fits, as a path ends before the question mark of a query: write '%s' for any query, or '%s' if it is a part of the path"
          .formatted(path, encoded(path.substring(0, query)), encoded(path));
    }
    String encoded = encoded(path);
    return encoded.equals(path)
        ? null
        : "'%s' never fits, as clients send such characters encoded: write '%s'"
            .formatted(path, encoded);
  }

  /**
   * The same for the path of a health check, which is sent with its query.
   *
   * @param path with a query, or without
   */
  static @Nullable String ofTarget(String path) {
    if (!path.startsWith("/")) {
      return "a path begins with a slash; not '" + path + "'";
    }
    int query = path.indexOf('?');
    String encoded =
        query < 0
            ? encoded(path)
            : encoded(path.substring(0, query)) + '?' + encoded(path.substring(query + 1), "?");
    return encoded.equals(path)
        ? null
        : "a path is visible ASCII: write '%s', not '%s'".formatted(encoded, path);
  }

  /**
   * What is wrong with the name of a header or a cookie (RFC 9110 section 5.1); null for nothing.
   */
  static @Nullable String ofName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c > '~' || SEPARATORS.indexOf(c) >= 0) {
        return "no request has the name '"
            + name
            + "': it is made of letters, digits and !#$%&'*+-.^_`|~";
      }
    }
    return name.isEmpty() ? "a name has letters" : null;
  }

  /**
   * What is wrong with the value of a header (RFC 9110 section 5.5); null for nothing. Beyond ASCII
   * nothing says which bytes a client means.
   */
  static @Nullable String ofHeader(String value) {
    return isField(value)
        ? null
        : "no request has the value '"
            + value
            + "': a header is ASCII without control characters, and has no blanks around it";
  }

  /** The same for a cookie's (RFC 6265 section 4.1.1). */
  static @Nullable String ofCookie(String value) {
    return isField(value) && value.indexOf(';') < 0
        ? null
        : "no request has the value '"
            + value
            + "': a cookie is ASCII without semicolons and control characters, and has no blanks"
            + " around it";
  }

  private static boolean isField(String value) {
    return value.equals(value.strip())
        && value.chars().allMatch(c -> (c >= ' ' && c < 127) || c == '\t');
  }

  private static String encoded(String path) {
    return encoded(path, "");
  }

  /**
   * With everything as a percent sign and two digits that no path has as it is.
   *
   * @param kept characters that stay, though a path has none of them
   */
  private static String encoded(String path, String kept) {
    StringBuilder out = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > ' ' && b < 127 && ((b != '?' && b != '#') || kept.indexOf(b) >= 0);
      if (plain) {
        out.append((char) b);
      } else {
        out.append("%%%02X".formatted(b));
      }
    }
    return out.toString();
  }
}
