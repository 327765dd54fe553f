package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.replica.ReplicaFiles.Facts;
import io.orrery.core.workload.WorkloadSpec;

/**
 * A replica that an earlier server has left.
 *
 * @param facts with ports that are reserved for it
 */
record LeftReplica(WorkloadSpec spec, Facts facts) {}
