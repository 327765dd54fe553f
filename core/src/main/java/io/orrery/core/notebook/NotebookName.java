package io.orrery.core.notebook;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a notebook, unique on a server: it is part of the notebook's address.
 *
 * @param value lower-case letters, digits and hyphens, 2 to 54 characters; a letter first, no
 *     hyphen last
 */
public record NotebookName(String value) implements Comparable<NotebookName> {
  /** The rule in words. */
  public static final String RULE =
      "2 to 54 lower-case letters, digits and hyphens, a letter first and no hyphen last";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,52}[a-z0-9]");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  @JsonCreator
  public NotebookName {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no notebook name: " + RULE);
    }
  }

  /** Whether a text is the name of a notebook. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public int compareTo(NotebookName other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
