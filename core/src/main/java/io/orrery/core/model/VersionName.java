package io.orrery.core.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a version of a model, unique within the model: its number, unless its author chose
 * another one such as {@code v2026.11.27}.
 *
 * @param value 1 to 50 letters, digits, {@code -}, {@code _} and {@code .}; a letter or digit first
 */
public record VersionName(String value) {
  /** The rule in words. */
  public static final String RULE =
      "1 to 50 letters, digits, '-', '_' and '.', a letter or digit first";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,49}");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  @JsonCreator
  public VersionName {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no name of a version: " + RULE);
    }
  }

  /** Whether a text is the name of a version. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
