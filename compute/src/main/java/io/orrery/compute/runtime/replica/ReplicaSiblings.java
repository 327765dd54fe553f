package io.orrery.compute.runtime.replica;

/** The replicas of the same workload, as one of them sees them. */
interface ReplicaSiblings {
  /** The state of a replica has changed. */
  void changed();

  /** Nothing of a replica is left. */
  void gone(ReplicaKeeper keeper);

  /** The number on which another one listens instead of its given port; 0 for none. */
  int fixedPort(ReplicaKeeper asker);
}
