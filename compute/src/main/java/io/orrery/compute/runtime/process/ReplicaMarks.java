package io.orrery.compute.runtime.process;

import io.orrery.core.digest.Sha256;
import io.orrery.core.workload.ReplicaRef;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The text that all processes of a replica carry in their environment: {@code <home>/<replica>},
 * the home as a digest, so that two servers of one machine never take each other's processes for
 * theirs.
 */
record ReplicaMarks(String prefix) {
  /** The environment variable that every process of a workload's replica inherits. */
  static final String VARIABLE = "ORRERY_REPLICA_MARK";

  static ReplicaMarks of(Path home) {
    return new ReplicaMarks(Sha256.hex(home.toString(), 8) + "/");
  }

  String of(ReplicaRef replica) {
    return prefix + replica;
  }

  /** The replica of a mark of this home; null for any other text. */
  @Nullable ReplicaRef replica(@Nullable String mark) {
    if (mark == null || !mark.startsWith(prefix)) {
      return null;
    }
    try {
      return ReplicaRef.parse(mark.substring(prefix.length()));
    } catch (IllegalArgumentException other) {
      return null;
    }
  }
}
