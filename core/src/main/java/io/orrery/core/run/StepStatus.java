package io.orrery.core.run;

/** The status of a step of a run. */
public enum StepStatus {
  /** Steps that this one depends on are not over. */
  BLOCKED,
  /** The step may start as soon as the run has room, or its pause before a retry is over. */
  READY,
  /** An attempt is handed to the training service and has not started. */
  WAITING,
  RUNNING,
  SUCCEEDED,
  FAILED,
  STOPPED,
  /** The outputs were taken from an earlier run. */
  CACHED,
  /** The condition of the step was false. */
  SKIPPED,
  /** A step that this one depends on did not succeed. */
  OMITTED;

  /** Whether nothing follows without a command of a user. */
  public boolean isOver() {
    return switch (this) {
      case BLOCKED, READY, WAITING, RUNNING -> false;
      case SUCCEEDED, FAILED, STOPPED, CACHED, SKIPPED, OMITTED -> true;
    };
  }

  /** Whether the step has outputs. */
  public boolean isGood() {
    return this == SUCCEEDED || this == CACHED;
  }

  /** Whether an attempt is with a training service. */
  public boolean isInFlight() {
    return this == WAITING || this == RUNNING;
  }
}
