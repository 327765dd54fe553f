package io.orrery.metrics.store;

/** A listener for commits of the log. It is called on the writer thread and must not block. */
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
