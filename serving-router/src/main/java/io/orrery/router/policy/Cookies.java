package io.orrery.router.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
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

  /** The values of all cookies of a name, as {@link #find}. */
  public static List<String> findAll(List<String> lines, String name) {
    List<String> values = new ArrayList<>(1);
    for (String line : lines) {
      for (String pair : line.split(";")) {
        if (name(pair).equals(name)) {
          values.add(pair.substring(pair.indexOf('=') + 1).strip());
        }
      }
    }
    return values;
  }

  /** A line without the cookies of some names; empty when none is left. */
  public static String without(String line, Predicate<String> names) {
    List<String> kept = new ArrayList<>();
    for (String pair : line.split(";")) {
      if (!pair.isBlank() && !names.test(name(pair))) {
        kept.add(pair.strip());
      }
    }
    return String.join("; ", kept);
  }

  /** The name in a pair; empty when it is none. */
  private static String name(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? "" : pair.substring(0, equals).strip();
  }
}
