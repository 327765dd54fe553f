package io.orrery.core.lease;

import io.orrery.core.sql.Store;
import io.vertx.core.Future;

/**
 * The right to act for one thing. It is held until it is given back or lost; it is lost when the
 * database has not heard of its member for too long, which the member knows by its own clock before
 * any other may take it.
 */
public interface Lease {
  /** How often it was taken before and by this one: the next holder has a higher one. */
  long epoch();

  /**
   * Whether it may be acted upon now; costs nothing and is asked before anything that others feel.
   */
  boolean held();

  /** Completes when it is lost for good; never when it is given back. */
  Future<Void> lost();

  /**
   * The same store for writes that only the holder may make: each fails with Conflict, and leaves
   * no trace, when another server has taken the lease, whatever this server believes. The rows that
   * such a write finds are as the last holder left them.
   */
  Store fencing(Store store);

  /** Lets others take it. */
  Future<Void> giveBack();
}
