package io.orrery.orchestrator.platform.local;

/** A program that this server has started. Thread safe. */
interface Child {
  long pid();

  boolean isAlive();

  /** Ends it at once (SIGKILL), unless it is over. */
  void kill();
}
