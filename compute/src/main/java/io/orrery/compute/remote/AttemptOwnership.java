package io.orrery.compute.remote;

import io.orrery.compute.service.Keepers;
import io.orrery.core.id.ExperimentId;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The ownership of an attempt by this server: until it is given up here, and while the lease of its
 * experiment allows it. Apart, because all who do or tell something of an attempt ask it, and none
 * of them needs the others for that. Thread safe.
 */
final class AttemptOwnership {
  private final Keepers keepers;
  private final ExperimentId experiment;
  private final AtomicBoolean given = new AtomicBoolean();

  AttemptOwnership(Keepers keepers, ExperimentId experiment) {
    this.keepers = keepers;
    this.experiment = experiment;
  }

  boolean isOurs() {
    return !given.get() && keepers.mayAct(experiment);
  }

  /** To be asked before anything that others feel. */
  void mustBeOurs() throws Elsewhere {
    if (!isOurs()) {
      throw new Elsewhere();
    }
  }

  /** It never is ours again; whether it was not given up before. */
  boolean giveUp() {
    return given.compareAndSet(false, true);
  }
}
