package io.orrery.orchestrator.run;

import io.orrery.core.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a run, besides that of its steps.
 *
 * @param error why it failed; null when it did not
 */
record RunState(
    RunStatus status,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String error) {
  static final RunState NEW = new RunState(RunStatus.ACCEPTED, null, null, null);

  RunState with(RunStatus next) {
    return new RunState(next, startedAt, endedAt, error);
  }
}
