package io.orrery.core.project;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a text that knows its place, without the blanks around it.
 *
 * @param offset of its first character in the whole text
 */
record TextEntry(int offset, String text) {
  /** The whole of a text. */
  static TextEntry of(String text) {
    return new TextEntry(0, text).trimmed();
  }

  /** The characters from {@code from} to before {@code to}. */
  TextEntry part(int from, int to) {
    return new TextEntry(offset + from, text.substring(from, to)).trimmed();
  }

  /** The characters from {@code from} to the end. */
  TextEntry after(int from) {
    return part(from, text.length());
  }

  /** The parts between any of the separators, blank ones included. */
  List<TextEntry> split(String separators) {
    List<TextEntry> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      if (separators.indexOf(text.charAt(i)) >= 0) {
        parts.add(part(from, i));
        from = i + 1;
      }
    }
    parts.add(after(from));
    return parts;
  }

  /** The same parts without the blank ones. */
  List<TextEntry> entries(String separators) {
    return split(separators).stream().filter(part -> !part.text().isEmpty()).toList();
  }

  private TextEntry trimmed() {
    String begun = text.stripLeading();
    return new TextEntry(offset + text.length() - begun.length(), begun.stripTrailing());
  }
}
