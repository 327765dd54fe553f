package io.orrery.orchestrator.run;

import static io.orrery.core.run.StepStatus.BLOCKED;
import static io.orrery.core.run.StepStatus.CACHED;
import static io.orrery.core.run.StepStatus.FAILED;
import static io.orrery.core.run.StepStatus.OMITTED;
import static io.orrery.core.run.StepStatus.READY;
import static io.orrery.core.run.StepStatus.RUNNING;
import static io.orrery.core.run.StepStatus.SKIPPED;
import static io.orrery.core.run.StepStatus.STOPPED;
import static io.orrery.core.run.StepStatus.SUCCEEDED;
import static io.orrery.core.run.StepStatus.WAITING;

import io.orrery.core.run.StepStatus;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The state machine of a step as a table. */
final class StepLife {
  private static final Map<StepStatus, Set<StepStatus>> NEXT = new EnumMap<>(StepStatus.class);

  static {
    NEXT.put(BLOCKED, EnumSet.of(READY, SKIPPED, OMITTED, FAILED, STOPPED));
    NEXT.put(READY, EnumSet.of(WAITING, STOPPED));
    // A retry makes it READY again.
    NEXT.put(WAITING, EnumSet.of(RUNNING, SUCCEEDED, CACHED, FAILED, STOPPED, READY));
    NEXT.put(RUNNING, EnumSet.of(SUCCEEDED, FAILED, STOPPED, READY));
    // A user retries the run from here.
    for (StepStatus over : StepStatus.values()) {
      if (over.isOver()) {
        NEXT.put(over, EnumSet.of(BLOCKED));
      }
    }
  }

  private StepLife() {}

  /** Whether a step may change from one status to another. */
  static boolean allows(StepStatus from, StepStatus to) {
    return NEXT.getOrDefault(from, Set.of()).contains(to);
  }
}
