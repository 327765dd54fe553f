package io.orrery.core.service;

/** The state of a rollout: the steps by which a service takes over the requests of a domain. */
public enum RolloutState {
  /** Nothing is under way. */
  IDLE,
  /** The new service gets the share of a step; step 0 waits until it is ready. */
  STEP,
  /** The shares stay as they are until it is resumed. */
  PAUSED,
  /** The new service gets all requests; those before it are kept running for a while. */
  DONE,
  /** The shares are those of before the rollout. */
  ROLLED_BACK
}
