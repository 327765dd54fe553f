package io.orrery.orchestrator.runtime.replica;

import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.runtime.replica.ReplicaFiles.Facts;

/**
 * A replica that an earlier server has left.
 *
 * @param facts with ports that are reserved for it
 */
record LeftReplica(WorkloadSpec spec, Facts facts) {}
