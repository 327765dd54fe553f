package io.orrery.metrics.store;

/** Told what the log does; called on its writer thread, and must not block. */
@FunctionalInterface
public interface LogWatch {
  /** Looks away. */
  LogWatch NONE = (points, nanos) -> {};

  /**
   * A group is durable.
   *
   * @param points new ones in it
   * @param nanos that taking them in, writing and syncing took
   */
  void committed(int points, long nanos);
}
