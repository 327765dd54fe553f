package io.orrery.core.http;

/**
 * What the host that a request names is made of, with or without a port. It is repeated to
 * endpoints, in fields with a grammar of their own: a character that separates something there, or
 * in an address, is none of a host.
 */
public final class HostName {
  private static final String SEPARATORS = "/\\@?#,\";=";
  private static final boolean[] PARTS = parts();

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

  /** Whether a text can be one; so can the empty one, which is nobody's. */
  public static boolean is(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!mayHold(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
