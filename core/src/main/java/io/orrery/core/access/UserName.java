package io.orrery.core.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a user account: 2 to {@value #MOST} characters, lower-case letters, digits and {@code
 * -}, a letter first and no {@code -} at the end. It is part of paths and labels.
 */
public record UserName(@JsonValue String value) implements Comparable<UserName> {
  private static final int MOST = 50;
  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9-]*[a-z0-9]");

  @JsonCreator
  public UserName {
    if (!valid(value)) {
      throw new IllegalArgumentException("not a user name: '" + value + "'");
    }
  }

  /** Whether a text may be the name of a user. */
  public static boolean valid(String value) {
    return value.length() <= MOST && FORM.matcher(value).matches();
  }

  @Override
  public int compareTo(UserName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
