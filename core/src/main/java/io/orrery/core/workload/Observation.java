package io.orrery.core.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of a workload as a runtime sees them, of every generation that still has some,
 * ordered by generation and ordinal.
 *
 * @param fault why something besides its replicas is not as it is wanted; null when all is
 */
public record Observation(WorkloadRef workload, List<Replica> replicas, @Nullable String fault) {
  public Observation {
    replicas = List.copyOf(replicas);
  }

  /** One without a fault. */
  public Observation(WorkloadRef workload, List<Replica> replicas) {
    this(workload, replicas, null);
  }
}
