package io.orrery.core.text;

import java.util.random.RandomGenerator;

/** Short random identifiers: lower-case letters and digits, a letter first. */
public final class Ids {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String ALL = LETTERS + "0123456789";

  private Ids() {}

  public static String random(RandomGenerator random, int length) {
    StringBuilder id = new StringBuilder(length);
    id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    while (id.length() < length) {
      id.append(ALL.charAt(random.nextInt(ALL.length())));
    }
    return id.toString();
  }
}
