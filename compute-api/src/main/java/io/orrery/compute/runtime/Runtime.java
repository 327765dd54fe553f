package io.orrery.compute.runtime;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Workloads.SnapshotTaken;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.workload.Observation;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Keeps workloads running somewhere: as processes of this machine, as containers, on a cluster.
 *
 * <p>Level-triggered: it is told the number of replicas that is wanted and makes it so, however
 * often it is told. Idempotent by workload and generation. Replicas outlive the server.
 *
 * <p>A runtime starts replicas, restarts what ends by itself, and probes. It ends a replica only
 * when it is told to by {@link #drain} or {@link #remove}: the caller first takes the replica out
 * of the route table. So a new generation, or a smaller number, adds or leaves replicas; the
 * surplus goes on running until it is drained.
 *
 * <p>Nothing here blocks; futures complete on the context that asked. Thread safe.
 */
@SuppressWarnings(
    "AvoidCommonTypeNames") // the word of the field; java.lang.Runtime is not used here
public interface Runtime {
  /** Whether a specification must name an image to run here; else it must name none. */
  boolean runsImages();

  /**
   * Looks whether a specification could run here: program, directory, mounts, image, room. Changes
   * nothing.
   *
   * @return sentences about what is missing; empty when nothing is
   */
  Future<List<String>> check(WorkloadSpec spec);

  /** Looks whether there is what the settings of a project name; changes nothing. */
  Future<SettingsLook> look(ProjectSettings settings);

  /** The same where it depends on the workload, such as on its kind. */
  default Future<List<String>> check(WorkloadRef workload, WorkloadSpec spec) {
    return check(spec);
  }

  /**
   * Has a number of replicas of a generation running that are not being drained.
   *
   * @param generation an older one than was wanted before changes nothing
   * @param replicas 0 or more
   * @return completes when the intent is known, before anything runs
   */
  Future<Void> want(WorkloadRef workload, long generation, WorkloadSpec spec, int replicas);

  /**
   * Ends a replica: SIGTERM, then SIGKILL when the grace of its specification is over. It is not
   * restarted. Nothing happens when it is gone.
   *
   * @return completes when it is asked to end
   */
  Future<Void> drain(ReplicaRef replica, Duration grace);

  /** Ends and forgets all of a workload; completes when nothing of it is left, files included. */
  Future<Void> remove(WorkloadRef workload);

  /**
   * Takes over after a start of the server. Replicas that run are found again with their ports;
   * workloads that are found here and are not wanted are removed.
   *
   * @param all every workload that is wanted here; the same as {@link #want} of each
   */
  Future<Void> adopt(List<Wanted> all);

  /** Has a listener told that a workload should be looked at again; a hint, which may not come. */
  void follow(RuntimeListener listener);

  /** The replicas of a workload as last seen; empty when it is not known. */
  Observation now(WorkloadRef workload);

  /**
   * Reads a piece of what a replica wrote, to stdout and stderr alike.
   *
   * @param previous the program before the last restart, instead of the present one
   * @param offset in bytes from the start; negative from the end
   */
  Future<LogPiece> readLog(ReplicaRef replica, boolean previous, long offset, int limit);

  /**
   * Looks at what the programs of a workload use: by {@link Readings#CPU}, {@link Readings#MEMORY}
   * and {@link Readings#GPU}, as far as that is measured here.
   *
   * @return of the replicas that are ready
   */
  Future<Map<ReplicaRef, Readings>> used(WorkloadRef workload);

  /**
   * The number of replicas that an autoscaler of the place itself wants, by the scaling of the
   * specification.
   *
   * @return empty where none decides; then {@link #used} tells by what it could be decided
   */
  default Future<OptionalInt> autoscaled(WorkloadRef workload) {
    return Future.succeededFuture(OptionalInt.empty());
  }

  /**
   * Opens a terminal on a shell in a replica that runs.
   *
   * @return fails with Conflict when it does not run, or no shell can be opened there
   */
  Future<ReplicaShell> shell(ReplicaRef replica, TerminalSize size);

  /** Whether its replicas are in pods, so that {@link #command} may run one there. */
  default boolean hasPods() {
    return false;
  }

  /**
   * Runs a command beside the program of a replica, with its errors apart and no terminal.
   *
   * @return fails with Conflict when the replica does not run, or is in no pod
   */
  default Future<ReplicaShell> command(ReplicaRef replica, List<String> command) {
    return Future.failedFuture(
        new Problem.Conflict(replica + " is in no pod: its files are those of the server.")
            .toException());
  }

  /**
   * Keeps the files of a replica as an image, without the variables that it was given, and pushes
   * it.
   *
   * @param target the name that it is pushed under
   * @param project with whose account it is pushed
   * @return fails with Conflict when the replica is no container that runs
   */
  default Future<SnapshotTaken> snapshot(ReplicaRef replica, String target, ProjectName project) {
    return Future.failedFuture(
        new Problem.Conflict(
                "%s is no container: only the state of a container becomes an image."
                    .formatted(replica.workload()))
            .toException());
  }

  /** Releases everything without ending any replica: the server ends, or another one owns it. */
  Future<Void> close();

  /** A workload as it is wanted. */
  record Wanted(WorkloadRef workload, long generation, WorkloadSpec spec, int replicas) {}

  /** A listener that is told of workloads that changed, from any thread. */
  @FunctionalInterface
  interface RuntimeListener {
    void changed(WorkloadRef workload);
  }
}
