package io.orrery.core.quota;

import java.util.Locale;

/** A property by which use is told apart. */
public enum UsageGroup {
  PROJECT,
  USER,
  /** The kind of the object, such as experiment. */
  KIND,
  /** Each object by itself; known by days alone. */
  OBJECT;

  /** The property as a query parameter. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException for another one
   */
  public static UsageGroup of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
