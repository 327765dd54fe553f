package io.orrery.router.wire;

import java.nio.charset.StandardCharsets;

/** Classes of characters (RFC 9110 section 5.6) and comparisons, on bytes. */
final class Ascii {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

  /** What a name is made of. */
  private static final boolean[] TOKEN = table('!', '~', SEPARATORS);

  private Ascii() {}

  private static boolean[] table(char first, char last, String without) {
    boolean[] table = new boolean[256];
    for (char c = first; c <= last; c++) {
      table[c] = without.indexOf(c) < 0;
    }
    return table;
  }

  static boolean isToken(byte b) {
    return TOKEN[b & 0xff];
  }

  static boolean isVisible(byte b) {
    return b > ' ' && b < 127;
  }

  /** Visible, a blank or a tab; not what is beyond ASCII. */
  static boolean isText(byte b) {
    return (b >= ' ' && b < 127) || b == '\t';
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  static String string(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /**
   * Whether {@code bytes[from, to)} is this word.
   *
   * @param lower letters are lower case
   */
  static boolean equalsIgnoreCase(byte[] bytes, int from, int to, byte[] lower) {
    if (to - from != lower.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[from + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }

  /** The same where an underscore is as good as a dash. */
  static boolean equalsButForUnderscores(byte[] bytes, int from, int to, byte[] lower) {
    if (to - from != lower.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[from + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower[i] && !(b == '_' && lower[i] == '-')) {
        return false;
      }
    }
    return true;
  }

  /** A decimal number of up to 18 digits; -1 when it is none. */
  static long number(byte[] bytes, int from, int to) {
    if (from == to || to - from > 18) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(bytes[i])) {
        return -1;
      }
      number = number * 10 + bytes[i] - '0';
    }
    return number;
  }
}
