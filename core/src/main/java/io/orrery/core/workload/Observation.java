package io.orrery.core.workload;

import java.util.List;

/**
 * The replicas of a workload as a runtime sees them, of every generation that still has some,
 * ordered by generation and ordinal.
 */
public record Observation(WorkloadRef workload, List<Replica> replicas) {
  public Observation {
    replicas = List.copyOf(replicas);
  }
}
