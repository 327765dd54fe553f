package io.orrery.core.run;

import java.util.Arrays;
import java.util.List;

/** The status of a run. */
public enum RunStatus {
  /** The run is stored, and its owner has not looked at it yet. */
  ACCEPTED,
  RUNNING,
  /** No further step starts; those that run go on. */
  PAUSED,
  SUCCEEDED,
  FAILED,
  /** The steps that run are being ended. */
  STOPPING,
  STOPPED;

  /** Whether the run is over. */
  public boolean isOver() {
    return switch (this) {
      case SUCCEEDED, FAILED, STOPPED -> true;
      case ACCEPTED, RUNNING, PAUSED, STOPPING -> false;
    };
  }

  /** All words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }
}
