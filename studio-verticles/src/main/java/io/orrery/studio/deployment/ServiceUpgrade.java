package io.orrery.studio.deployment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Services.Upgrading;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.rollout.Rollout;

/**
 * A rollout by which a generation of a service in production takes over from an earlier one.
 *
 * @param generation that takes over
 * @param before the workload that is replaced, as it was frozen, to go back to
 * @param beforeRevision of the document of that one
 * @param open whether something is still to be done: it is under way, the earlier generation is
 *     kept warm, or it is not deployed again yet
 * @param revision of the row, from 1
 */
public record ServiceUpgrade(
    ServiceName service,
    ProjectName project,
    long generation,
    Want before,
    long beforeRevision,
    Rollout rollout,
    boolean open,
    long revision) {
  /** The row that replaces this one. */
  public ServiceUpgrade with(Rollout next) {
    return new ServiceUpgrade(
        service,
        project,
        generation,
        before,
        beforeRevision,
        next,
        open && next.state() != RolloutState.IDLE,
        revision + 1);
  }

  /** Whether the earlier generation is the one to compare with, and to go back to. */
  public boolean isUndecided() {
    return open
        && switch (rollout.state()) {
          case STEP, PAUSED, ROLLED_BACK -> true;
          case IDLE, DONE -> false;
        };
  }

  /** The upgrade as others see it. */
  public Upgrading shown() {
    return new Upgrading(generation, before.generation(), rollout.shown(), open);
  }
}
