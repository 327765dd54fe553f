package io.orrery.metrics.store;

import io.vertx.core.Future;

/**
 * Long work on chunks, done in pieces that are short and stand for themselves: between two of them
 * moves are made, and the process may end.
 */
interface Piecework {
  /** What is done, for the log: "delete forgotten points". */
  String what();

  /**
   * Does the next piece. One that failed is tried again.
   *
   * @return whether it was the last
   */
  Future<Boolean> next();
}
