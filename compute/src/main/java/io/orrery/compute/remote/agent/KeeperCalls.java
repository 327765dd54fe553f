package io.orrery.compute.remote.agent;

import io.vertx.core.Future;

/** Answers the calls of keepers. */
@FunctionalInterface
public interface KeeperCalls {
  /**
   * Answers one; does not block.
   *
   * @param left completes when its caller has gone before it was answered
   * @return fails when there is no answer now
   */
  Future<KeeperAnswer> answer(KeeperCall call, Future<Void> left);
}
