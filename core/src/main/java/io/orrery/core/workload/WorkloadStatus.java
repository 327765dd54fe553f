package io.orrery.core.workload;

/** The status of a workload. */
public enum WorkloadStatus {
  /** No replica is wanted, and none runs. */
  STOPPED,
  /** Replicas are on their way, and none of them has failed. */
  STARTING,
  /** All replicas that are wanted are ready. */
  READY,
  /** Some replicas are ready, others are not. */
  DEGRADED,
  /** No replica is ready, and at least one has failed. */
  FAILED,
  /** Its replicas are ending. */
  STOPPING
}
