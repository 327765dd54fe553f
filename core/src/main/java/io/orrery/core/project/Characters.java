package io.orrery.core.project;

import org.jspecify.annotations.Nullable;

/** Rules for the characters of a text that a person wrote and that a message repeats. */
final class Characters {
  private static final int SHOWN = 60;

  /** The separators of the grammars as a Chinese input method writes them: U+FF08 and so on. */
  private static final String FULL_WIDTH = "\uFF08\uFF09\uFF1A\uFF1B\uFF0C\uFF1D\uFF5C";

  private static final int TO_ASCII = 0xFEE0;

  private Characters() {}

  /**
   * Says which character a text should not have: one that cannot be seen, or half of one, or a
   * full-width separator. The sentence continues the text's name; null when all are right.
   */
  static @Nullable String fault(String text) {
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (isHidden(character)) {
        return "has the character %s, which cannot be seen; leave it out"
            .formatted(code(character));
      }
      if (FULL_WIDTH.indexOf(character) >= 0) {
        return "has the full-width character '%c'; write '%c'"
            .formatted(character, character - TO_ASCII);
      }
      i += Character.charCount(character);
    }
    return null;
  }

  /** Says whether every character of a text can be seen, or is a blank. */
  static boolean isVisible(String text) {
    return text.codePoints().noneMatch(Characters::isHidden);
  }

  /** Says whether a text has half of a surrogate pair, which UTF-8 cannot store. */
  static boolean isBroken(String text) {
    return text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** The text in quotes, shortened, with the code of each character that cannot be seen. */
  static String quoted(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.codePoints()
        .limit(SHOWN)
        .forEach(c -> {
          if (isHidden(c)) {
            shown.append(code(c));
          } else {
            shown.appendCodePoint(c);
          }
        });
    boolean isCut = text.codePointCount(0, text.length()) > SHOWN;
    return shown.append(isCut ? "…'" : "'").toString();
  }

  private static String code(int character) {
    return "U+%04X".formatted(character);
  }

  private static boolean isHidden(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
