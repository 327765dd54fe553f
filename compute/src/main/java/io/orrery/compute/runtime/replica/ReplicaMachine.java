package io.orrery.compute.runtime.replica;

import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place where replicas run, as their keepers use it: programs, ports and probes. Methods block
 * unless they return a future. Thread safe.
 */
public interface ReplicaMachine {
  /**
   * Checks whether a specification can run here.
   *
   * @return sentences about what is missing; empty when nothing is
   */
  List<String> check(WorkloadSpec spec);

  /** Looks whether there is what the settings of a project name. */
  SettingsLook look(ProjectSettings settings) throws IOException;

  /**
   * Looks whether everything is there without which a program cannot start, and begins to fetch
   * what can be fetched.
   *
   * @param nudge called from any thread when something was fetched
   */
  Prerequisites prepare(WorkloadSpec spec, Runnable nudge);

  /**
   * A start of a program, whichever server has made it.
   *
   * @param run its directory, which exists; its log is there
   * @param nudge called from any thread when the program should be looked at again
   */
  ReplicaProgram program(ReplicaRef replica, Path run, Runnable nudge);

  /**
   * The GPUs of this machine, of which replicas are given theirs; null where the place itself gives
   * them, or has none.
   */
  default @Nullable GpuInventory gpus() {
    return null;
  }

  /** The ports of a specification for which each replica is given a free one of this machine. */
  default List<WorkloadPort> given(List<WorkloadPort> specified) {
    return specified;
  }

  /**
   * Whether programs run on when the server's machine crashes: then what is needed to find them has
   * to be on its disk before they start.
   */
  default boolean outlivesCrashes() {
    return true;
  }

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
   * Looks at what programs use; those that it cannot look at are left out.
   *
   * @param runs the directories of the starts of replicas
   */
  Map<ReplicaRef, Readings> used(Map<ReplicaRef, Path> runs) throws IOException;

  /**
   * Ends programs of this server that belong to no replica: its files were deleted. Waits for their
   * end, because a replica of the same name may be started next.
   *
   * @param isKept whether a replica has its files, so that its programs are tracked
   */
  void endStrays(Predicate<ReplicaRef> isKept) throws IOException, InterruptedException;

  /** Sends no more probes. */
  Future<Void> close();

  /**
   * Keeps the files of a start of a program as an image, and pushes it.
   *
   * @param run the directory of the start
   */
  default SnapshotTaken snapshot(ReplicaRef replica, Path run, String target, ProjectName project)
      throws IOException {
    throw new Problem.Conflict(
            "%s is no container: only the state of a container becomes an image."
                .formatted(replica.workload()))
        .toException();
  }
}
