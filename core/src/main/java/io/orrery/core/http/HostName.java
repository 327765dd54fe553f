package io.orrery.core.http;

import java.util.regex.Pattern;

/**
 * The syntax of the host of a request, with or without a port. The host is forwarded to endpoints
 * in fields with a grammar of their own, so a character that is a separator there, or in an
 * address, is refused.
 */
public final class HostName {
  private static final String SEPARATORS = "/\\@?#,\";=";
  private static final boolean[] PARTS = parts();
  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]+)?");

  private HostName() {}

  private static boolean[] parts() {
    boolean[] parts = new boolean[128];
    for (char c = '!'; c <= '~'; c++) {
      parts[c] = SEPARATORS.indexOf(c) < 0;
    }
    return parts;
  }

  /**
   * Whether a character may be a part of one.
   *
   * @param character or a byte, of which one beyond ASCII is negative
   */
  public static boolean mayHold(int character) {
    return character >= 0 && character < PARTS.length && PARTS[character];
  }

  /** Whether a text can be one; so can the empty one, which is no host's. */
  public static boolean is(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!mayHold(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A host without the dot of the DNS root: {@code localhost.} and {@code localhost} name one
   * machine (RFC 1034 section 3.1).
   *
   * @param host without a port
   */
  public static String withoutRoot(String host) {
    return host.length() > 1 && host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  /** Whether a host, with or without a port, is this machine itself by its name alone. */
  public static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host).matches();
  }
}
