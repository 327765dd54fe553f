package io.orrery.compute.process;

/** A program that this server has started. Thread safe. */
public interface ChildProcess {
  long pid();

  boolean isAlive();

  /** Ends it at once (SIGKILL), unless it is over. */
  void kill();
}
