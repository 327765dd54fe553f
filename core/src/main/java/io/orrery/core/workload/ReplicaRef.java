package io.orrery.core.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a replica of a workload, as text {@code service/hello/3-0}. A replica that is
 * restarted keeps its name.
 *
 * @param generation of the specification that it runs, from 1
 * @param ordinal its number within the generation, from 0
 */
public record ReplicaRef(WorkloadRef workload, long generation, int ordinal)
    implements Comparable<ReplicaRef> {
  private static final Comparator<ReplicaRef> ORDER =
      Comparator.comparing(ReplicaRef::workload)
          .thenComparingLong(ReplicaRef::generation)
          .thenComparingInt(ReplicaRef::ordinal);

  private static final Pattern TEXT = Pattern.compile("(.+)/([1-9][0-9]{0,17})-([0-9]{1,9})");

  /**
   * @throws IllegalArgumentException when a number is out of range
   */
  public ReplicaRef {
    if (generation < 1 || ordinal < 0) {
      throw new IllegalArgumentException("no replica has the name " + generation + "-" + ordinal);
    }
  }

  /**
   * Reads {@code service/hello/3-0}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  @JsonCreator
  public static ReplicaRef parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a replica such as service/hello/3-0");
    }
    return new ReplicaRef(
        WorkloadRef.parse(parts.group(1)),
        Long.parseLong(parts.group(2)),
        Integer.parseInt(parts.group(3)));
  }

  /** The name within its workload: {@code 3-0}. */
  public String id() {
    return generation + "-" + ordinal;
  }

  @Override
  public int compareTo(ReplicaRef other) {
    return ORDER.compare(this, other);
  }

  @JsonValue
  @Override
  public String toString() {
    return workload + "/" + id();
  }
}
