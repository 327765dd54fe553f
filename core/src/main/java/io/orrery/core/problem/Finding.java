package io.orrery.core.problem;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fault of an input, described so that its author can fix it.
 *
 * @param pointer where: an RFC 6901 JSON pointer into the document, empty for the document itself
 * @param message what is wrong and what would be right, one sentence
 * @param line the line in the text that the user wrote, from 1; null when the input had no lines
 */
public record Finding(String pointer, String message, @Nullable Integer line) {
  public Finding {
    Objects.requireNonNull(pointer);
    Objects.requireNonNull(message);
  }

  /** A finding in an input that has no lines. */
  public Finding(String pointer, String message) {
    this(pointer, message, null);
  }

  /** The same finding, placed on a line of the text. */
  public Finding atLine(@Nullable Integer newLine) {
    return new Finding(pointer, message, newLine);
  }

  /** As people read it: {@code line 7, /tuner/name: …}. */
  public String text() {
    String place =
        line == null ? pointer : "line " + line + (pointer.isEmpty() ? "" : ", " + pointer);
    return place.isEmpty() ? message : place + ": " + message;
  }
}
