package io.orrery.orchestrator.trial;

import io.orrery.core.bus.contract.Trials.Settled;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time that a trial took, as its platform told of its start and end. It is counted as the
 * database keeps times: a tuner that reads the history learns what one was told that lived then.
 */
public final class TrialDuration {
  private TrialDuration() {}

  /**
   * An end with the time that led to it, in milliseconds.
   *
   * @param from when the trial started, null where it did not
   * @param to when it ended, null where it has not
   */
  public static Settled of(Settled end, @Nullable Instant from, @Nullable Instant to) {
    if (from == null || to == null) {
      return end;
    }
    return new Settled(
        end.ordinal(),
        end.trial(),
        end.parameterId(),
        end.parameters(),
        end.status(),
        end.result(),
        Duration.ofMillis(to.toEpochMilli() - from.toEpochMilli()));
  }
}
