package io.orrery.orchestrator.runtime.process;

import io.orrery.core.time.Clock;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.process.ProcessTable;
import io.orrery.orchestrator.process.Wrapper;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** Collaborators that all replicas of a runtime share. */
record ProcessTools(
    Path home,
    Clock clock,
    RandomGenerator random,
    Background background,
    ProcessSettings settings,
    ProcessTable table,
    ReplicaMarks marks,
    ReplicaEnvironment environment,
    Wrapper wrapper,
    PortAllocator ports,
    StartLimit starts,
    ReplicaProber prober) {}
