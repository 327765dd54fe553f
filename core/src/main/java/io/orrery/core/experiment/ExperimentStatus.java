package io.orrery.core.experiment;

/** The status of an experiment that users see. */
public enum ExperimentStatus {
  /** Accepted and stored; not running yet. */
  INITIALIZED,
  RUNNING,
  /** No trial starts; those that run go on. */
  PAUSED,
  /** The tuner is exhausted or a limit is reached; trials still run. */
  NO_MORE_TRIAL,
  /** Asked to stop; trials are being ended. */
  STOPPING,
  /** Ended by its user; can be resumed. */
  STOPPED,
  /** Ended by itself, with at least one trial that succeeded, or with nothing to try. */
  DONE,
  /** Ended by itself, and every trial failed. */
  FAILED,
  /** Cannot go on; {@link Experiment#error} says why. */
  ERROR,
  /** Loaded to be looked at. */
  VIEWED;

  /** Whether nothing runs and nothing will, until a user resumes it or raises a limit. */
  public boolean isFinal() {
    return switch (this) {
      case INITIALIZED, RUNNING, PAUSED, NO_MORE_TRIAL, STOPPING -> false;
      case STOPPED, DONE, FAILED, ERROR, VIEWED -> true;
    };
  }
}
