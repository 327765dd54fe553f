package io.orrery.core.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a model, unique on a server.
 *
 * @param value 1 to 100 letters, digits, {@code -}, {@code _}, {@code .} and spaces; a letter or
 *     digit first and last
 */
public record ModelName(String value) implements Comparable<ModelName> {
  /** The rule in words. */
  public static final String RULE =
      "1 to 100 letters, digits, '-', '_', '.' and spaces, a letter or digit first and last";

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9 ._-]{0,98}[A-Za-z0-9])?");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  @JsonCreator
  public ModelName {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no name of a model: " + RULE);
    }
  }

  /** Whether a text is the name of a model. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public int compareTo(ModelName other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
