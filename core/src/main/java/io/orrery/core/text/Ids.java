package io.orrery.core.text;

import java.util.random.RandomGenerator;

/**
 * Makes and checks short identifiers; random ones are lower-case letters and digits, a letter
 * first.
 */
public final class Ids {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String ALL = LETTERS + "0123456789";

  private static final int LONGEST = 32;

  private Ids() {}

  /** Whether a text is one of NNI's: {@code [A-Za-z0-9_-]{1,32}}. */
  public static boolean valid(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean good =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '_'
              || c == '-';
      if (!good) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= LONGEST;
  }

  public static String random(RandomGenerator random, int length) {
    StringBuilder id = new StringBuilder(length);
    id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    while (id.length() < length) {
      id.append(ALL.charAt(random.nextInt(ALL.length())));
    }
    return id.toString();
  }
}
