package io.orrery.studio.schedule;

import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a due run that decisions depend on.
 *
 * @param run null before it is submitted
 * @param runStatus null before it is submitted
 * @param attempt how often it was run before
 */
public record DueState(
    String id,
    Instant due,
    DueStatus status,
    @Nullable RunId run,
    @Nullable RunStatus runStatus,
    int attempt) {
  /** Whether its run is under way. */
  boolean active() {
    return status == DueStatus.CREATED && (runStatus == null || !runStatus.isOver());
  }

  boolean waits() {
    return status == DueStatus.COMED;
  }
}
