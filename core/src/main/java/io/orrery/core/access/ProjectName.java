package io.orrery.core.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a project: 1 to {@value #MOST} characters, lower-case letters, digits and {@code -},
 * none of these at either end. It is part of paths, labels and host names.
 */
public record ProjectName(@JsonValue String value) implements Comparable<ProjectName> {
  private static final int MOST = 50;
  private static final Pattern FORM = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  /** The project that each user is a member of without being added. */
  public static final ProjectName PUBLIC = new ProjectName("public");

  @JsonCreator
  public ProjectName {
    if (!valid(value)) {
      throw new IllegalArgumentException("not a project name: '" + value + "'");
    }
  }

  /** Whether a text may be the name of a project. */
  public static boolean valid(String value) {
    return value.length() <= MOST && FORM.matcher(value).matches();
  }

  @Override
  public int compareTo(ProjectName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
