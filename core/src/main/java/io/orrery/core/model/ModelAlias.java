package io.orrery.core.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * A name within a model that points to one of its versions and can be moved, such as {@code
 * production}.
 *
 * @param value 1 to 100 letters, digits, {@code -} and {@code _}; a letter first. Neither {@code
 *     latest} nor {@code v} with a number, which others read as versions
 */
public record ModelAlias(String value) implements Comparable<ModelAlias> {
  /** The rule in words. */
  public static final String RULE =
      "1 to 100 letters, digits, '-' and '_', a letter first; neither 'latest' nor 'v' with a"
          + " number";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,99}");
  private static final Pattern RESERVED = Pattern.compile("(?i)latest|v\\d+");

  /**
   * @throws IllegalArgumentException when the text is no alias
   */
  @JsonCreator
  public ModelAlias {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no alias: " + RULE);
    }
  }

  /** Whether a text is an alias. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches() && !RESERVED.matcher(text).matches();
  }

  @Override
  public int compareTo(ModelAlias other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
