package io.orrery.core.service;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a service, unique on a server: it is part of the service's address.
 *
 * @param value lower-case letters, digits and hyphens, 2 to {@value #MOST_CHARACTERS} characters; a
 *     letter first, no hyphen last
 */
public record ServiceName(String value) implements Comparable<ServiceName> {
  /** The most characters of a name. */
  public static final int MOST_CHARACTERS = 54;

  /** The rule in words. */
  public static final String RULE =
      "2 to 54 lower-case letters, digits and hyphens, a letter first and no hyphen last";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,52}[a-z0-9]");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  @JsonCreator
  public ServiceName {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no service name: " + RULE);
    }
  }

  /** Whether a text is the name of a service. */
  public static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public int compareTo(ServiceName other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
