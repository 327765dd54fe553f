package io.orrery.core.run;

import java.util.Arrays;
import java.util.List;

/** A fact about a due run that may be told. */
public enum DueAlert {
  /** It has waited too long. */
  LATE,
  /** The server came too late to its instant, and the schedule makes up for none of those. */
  MISSED,
  /** The pipeline could not be frozen into a run. */
  REFUSED,
  /** A user left it out. */
  SKIPPED;

  /** All words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }
}
