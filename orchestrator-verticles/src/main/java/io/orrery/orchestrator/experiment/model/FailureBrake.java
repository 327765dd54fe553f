package io.orrery.orchestrator.experiment.model;

import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Slows down an experiment whose trials do nothing but fail at once, such as one with a misspelt
 * command: it would go through thousands of them in a minute. A trial that takes its time to fail
 * needs no brake, and anything that does not fail releases it.
 */
final class FailureBrake {
  private static final int TOLERATED = 20;
  private static final Duration AT_ONCE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private int failures;
  private @Nullable Instant until;

  /** A trial came to its end. */
  void ended(Trial trial) {
    Instant started = trial.startedAt();
    Instant ended = trial.endedAt();
    boolean quick =
        started == null || ended == null || Duration.between(started, ended).compareTo(AT_ONCE) < 0;
    if (trial.status() != TrialStatus.FAILED || !quick) {
      failures = 0;
      until = null;
    } else if (++failures >= TOLERATED && ended != null) {
      int doublings = Math.min(failures - TOLERATED, 16);
      Duration pause = Duration.ofSeconds(1L << doublings);
      until = ended.plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST);
    }
  }

  /** Until when nothing is to be launched; null when nothing holds it back. */
  @Nullable Instant until(Instant now) {
    return until != null && until.isAfter(now) ? until : null;
  }

  /** Why plans wait. */
  String reason() {
    return "the last " + failures + " trials failed at once: the next one is held back a little";
  }
}
