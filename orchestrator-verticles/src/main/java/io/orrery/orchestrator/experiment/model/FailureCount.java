package io.orrery.orchestrator.experiment.model;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.trial.TrialStatus;
import org.jspecify.annotations.Nullable;

/**
 * The count of trials that failed one after the other, and the limit that it reaches. It is stored
 * with the experiment, so that the next owner goes on counting.
 */
final class FailureCount {
  private long inRow;
  private boolean anySucceeded;

  private FailureCount(long inRow, boolean anySucceeded) {
    this.inRow = inRow;
    this.anySucceeded = anySucceeded;
  }

  /** The count of an experiment as it is stored. */
  static FailureCount of(ExperimentRecord record) {
    long all = record.counts().values().stream().mapToLong(Long::longValue).sum();
    long imported = Math.max(0, all - record.created());
    boolean any =
        count(record, TrialStatus.SUCCEEDED) - imported + count(record, TrialStatus.EARLY_STOPPED)
            > 0;
    return new FailureCount(record.failuresInRow(), any);
  }

  private static long count(ExperimentRecord record, TrialStatus status) {
    return record.counts().getOrDefault(status, 0L);
  }

  /** A trial came to its end; one that was cancelled says nothing of the others. */
  void ended(TrialStatus as) {
    switch (as) {
      case FAILED -> inRow++;
      case SUCCEEDED, EARLY_STOPPED -> {
        inRow = 0;
        anySucceeded = true;
      }
      case WAITING, RUNNING, USER_CANCELED, SYS_CANCELED, UNKNOWN -> {}
    }
  }

  long inRow() {
    return inRow;
  }

  /** Starts counting again from zero. */
  void forget() {
    inRow = 0;
  }

  /**
   * The limit that is reached, as a sentence; null when none is.
   *
   * @param total how many trials have failed in all
   */
  @Nullable String excess(ExperimentSpec spec, long total) {
    FailureLimits limits = spec.limits().failures();
    if (limits.total() != null && total >= limits.total()) {
      return total + " trials failed, which is the limit (maxFailedTrials)";
    }
    if (limits.inRow() != null) {
      return inRow >= limits.inRow()
          ? "the last " + inRow + " trials failed, which is the limit (maxFailuresInRow)"
          : null;
    }
    boolean hopeless =
        !anySucceeded && inRow >= Math.max(FailureLimits.BEFORE_SUCCESS, spec.limits().slots());
    return hopeless
        ? inRow + " trials failed and none succeeded (maxFailuresInRow allows more)"
        : null;
  }
}
