package io.orrery.core.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a pipeline, a template or a task.
 *
 * @param value lower-case letters, digits and hyphens, 1 to {@value #MOST_CHARACTERS} characters; a
 *     letter first, no hyphen last
 */
public record PipelineName(String value) implements Comparable<PipelineName> {
  /** The most characters of a name. */
  public static final int MOST_CHARACTERS = 54;

  /** The rule in words. */
  public static final String RULE =
      "1 to 54 lower-case letters, digits and hyphens, a letter first and no hyphen last";

  private static final Pattern NAME = Pattern.compile("[a-z](?:[a-z0-9-]{0,52}[a-z0-9])?");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  @JsonCreator
  public PipelineName {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no name: " + RULE);
    }
  }

  /** Whether a text is a name. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public int compareTo(PipelineName other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
