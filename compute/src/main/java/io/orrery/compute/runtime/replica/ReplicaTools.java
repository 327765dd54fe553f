package io.orrery.compute.runtime.replica;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.ReplicaRef;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Collaborators that all replicas of a runtime share.
 *
 * @param root the directory of all workloads
 * @param executor runs steps, which block
 * @param secrets seals specifications
 */
record ReplicaTools(
    Path root,
    Clock clock,
    RandomGenerator random,
    Executor executor,
    ReplicaSettings settings,
    PortAllocator ports,
    StartLimit starts,
    ReplicaMachine machine,
    SecretBox secrets) {
  /** The files of a replica. */
  ReplicaFiles files(ReplicaRef replica) {
    return ReplicaFiles.of(root, replica, machine.outlivesCrashes());
  }
}
