package io.orrery.orchestrator.runtime.process;

import io.orrery.core.time.Clock;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Collaborators that all replicas of a runtime share.
 *
 * @param executor runs steps, which block
 */
record ProcessTools(
    Path home,
    Clock clock,
    RandomGenerator random,
    Executor executor,
    ProcessSettings settings,
    ReplicaMarks marks,
    ReplicaEnvironment environment,
    PortAllocator ports,
    StartLimit starts,
    ReplicaMachine machine) {}
