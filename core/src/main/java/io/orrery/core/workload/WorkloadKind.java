package io.orrery.core.workload;

import java.util.Locale;

/** The kind of a workload. */
public enum WorkloadKind {
  /** The replicas of a service. */
  SERVICE,
  /** A notebook server of one user. */
  NOTEBOOK,
  /** A program that is there for a terminal. */
  SHELL;

  /** The kind in texts and file names, such as {@code service}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException when there is no such kind
   */
  public static WorkloadKind of(String word) {
    for (WorkloadKind kind : values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("there is no workload kind '" + word + "'");
  }
}
