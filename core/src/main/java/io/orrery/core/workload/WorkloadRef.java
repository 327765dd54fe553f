package io.orrery.core.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a workload, unique on a server: kind and name, as text {@code service/hello}. The
 * name of a service has the stage before it unless that is production: {@code service/test.hello}.
 *
 * @param name lower-case letters, digits, hyphens and dots, at most {@value #MOST_CHARACTERS}
 *     characters
 */
public record WorkloadRef(WorkloadKind kind, String name) implements Comparable<WorkloadRef> {
  /** The most characters of a name, the stage included. */
  public static final int MOST_CHARACTERS = 80;

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

  /**
   * @throws IllegalArgumentException when the name is not one
   */
  public WorkloadRef {
    if (name.length() > MOST_CHARACTERS || !NAME.matcher(name).matches() || name.contains("..")) {
      throw new IllegalArgumentException("'" + name + "' is not the name of a workload");
    }
  }

  /**
   * Reads {@code service/hello}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  @JsonCreator
  public static WorkloadRef parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("'" + text + "' is not a workload such as service/hello");
    }
    return new WorkloadRef(WorkloadKind.of(text.substring(0, slash)), text.substring(slash + 1));
  }

  /** The name as one segment of a path: {@code service-hello}. */
  public String segment() {
    return kind.word() + "-" + name;
  }

  @Override
  public int compareTo(WorkloadRef other) {
    return toString().compareTo(other.toString());
  }

  @JsonValue
  @Override
  public String toString() {
    return kind.word() + "/" + name;
  }
}
