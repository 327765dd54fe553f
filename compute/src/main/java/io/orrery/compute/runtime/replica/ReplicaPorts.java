package io.orrery.compute.runtime.replica;

import io.orrery.compute.runtime.replica.ReplicaFiles.Facts;
import io.orrery.core.workload.WorkloadPort;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The ports that a replica is given, which it keeps over restarts of its program and of the server.
 * They are on the disk before its program starts. Used by the replica's thread.
 */
final class ReplicaPorts {
  private final PortAllocator allocator;
  private final ReplicaFiles files;
  private volatile Map<String, Integer> ports = Map.of();
  private Facts recorded = Facts.NONE;

  ReplicaPorts(PortAllocator allocator, ReplicaFiles files) {
    this.allocator = allocator;
    this.files = files;
  }

  /** The port of each name. */
  Map<String, Integer> all() {
    return ports;
  }

  /** Takes over those that an earlier server gave it, which are reserved for it. */
  void adopt(Facts facts) {
    recorded = facts;
    ports = facts.ports();
  }

  /**
   * Takes what it has not; a port on which another program listens is given back.
   *
   * @return false when no port is free
   */
  boolean take(List<WorkloadPort> specified, int failures) throws IOException {
    Map<String, Integer> mine = new HashMap<>(ports);
    boolean enough = true;
    for (WorkloadPort port : specified) {
      Integer kept = mine.get(port.name());
      if (kept != null && !allocator.isFree(kept)) {
        allocator.release(kept);
        mine.remove(port.name());
        kept = null;
      }
      if (kept == null) {
        OptionalInt taken = allocator.take();
        taken.ifPresent(number -> mine.put(port.name(), number));
        enough &= taken.isPresent();
      }
    }
    ports = Map.copyOf(mine);
    record(failures);
    return enough;
  }

  /** Writes the facts down, when they have changed. */
  void record(int failures) throws IOException {
    Facts facts = new Facts(ports, failures);
    if (!facts.equals(recorded)) {
      files.record(facts);
      recorded = facts;
    }
  }

  /** Gives all back. */
  void release() {
    ports.values().forEach(allocator::release);
    ports = Map.of();
  }
}
