package io.orrery.router.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cookies of a request (RFC 6265). */
public final class Cookies {
  private Cookies() {}

  /**
   * The value of the first cookie of a name; null when there is none.
   *
   * @param lines the values of all Cookie headers
   */
  public static @Nullable String find(List<String> lines, String name) {
    for (String line : lines) {
      for (String pair : line.split(";")) {
        int equals = pair.indexOf('=');
        if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
          return pair.substring(equals + 1).strip();
        }
      }
    }
    return null;
  }
}
