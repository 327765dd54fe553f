package io.orrery.orchestrator.runtime.process;

import io.orrery.core.workload.Probe;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.orchestrator.process.WrapperDirectory;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.function.Predicate;

/** The machine as replicas use it: programs, ports and probes. */
interface ReplicaMachine {
  /**
   * A start of a program, whichever server has made it.
   *
   * @param run its directory, which exists
   * @param nudge called from any thread when the program should be looked at again
   */
  ReplicaProgram program(ReplicaRef replica, WrapperDirectory run, Runnable nudge);

  /** Whether no program listens on a port. */
  boolean isFree(int port);

  /**
   * Sends a probe.
   *
   * @param host an address, without brackets
   * @return fails with the sentence that says why the replica is not ready
   */
  Future<Void> probe(Probe probe, String host, int port);

  /**
   * Kills processes that carry the mark of this home and belong to no replica: its files were
   * deleted. Waits for their end, because a replica of the same name may be started next. Blocks.
   *
   * @param isKept whether a replica has its files, so that its processes are tracked
   */
  void endStrays(Predicate<ReplicaRef> isKept) throws IOException, InterruptedException;

  /** Sends no more probes. */
  Future<Void> close();
}
