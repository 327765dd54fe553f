package io.orrery.metrics.store;

import io.vertx.core.Future;

/**
 * A long task on chunks in short, independent pieces: between two of them segments are moved, and
 * the process may end.
 */
interface IncrementalTask {
  /** What is done, for the log: "delete forgotten points". */
  String what();

  /**
   * Does the next piece. One that failed is tried again.
   *
   * @return whether it was the last
   */
  Future<Boolean> next();
}
