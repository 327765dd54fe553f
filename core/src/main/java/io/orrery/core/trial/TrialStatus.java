package io.orrery.core.trial;

/** The status of a trial that users see, with NNI's names. */
public enum TrialStatus {
  /** Planned or queued; the reason says what it waits for. */
  WAITING,
  RUNNING,
  /** Its process ended with 0. */
  SUCCEEDED,
  /** Its process ended otherwise. */
  FAILED,
  USER_CANCELED,
  /** Something other than the user or a limit ended it. */
  SYS_CANCELED,
  /** An assessor or maxTrialDuration ended it. */
  EARLY_STOPPED,
  /** The platform cannot be asked now. */
  UNKNOWN;

  /** Whether nothing follows, short of a retry. */
  public boolean isFinal() {
    return switch (this) {
      case WAITING, RUNNING, UNKNOWN -> false;
      case SUCCEEDED, FAILED, USER_CANCELED, SYS_CANCELED, EARLY_STOPPED -> true;
    };
  }
}
