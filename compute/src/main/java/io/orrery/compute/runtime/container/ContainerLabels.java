package io.orrery.compute.runtime.container;

import io.orrery.core.digest.Sha256;
import io.orrery.core.workload.ReplicaRef;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names and labels of containers, by which a server finds its own: the server is told by a
 * digest of its home, so that two servers may use one engine.
 *
 * @param server the digest
 * @param cluster the name of the cluster in the configuration
 */
record ContainerLabels(String server, String cluster) {
  private static final String PREFIX = "io.orrery.";
  private static final String SERVER = PREFIX + "server";
  private static final String REPLICA = PREFIX + "replica";

  static ContainerLabels of(Path home, String cluster) {
    return new ContainerLabels(Sha256.hex(home + "\n" + cluster, 8), cluster);
  }

  /**
   * The name of a container, which is the claim of a start: the engine gives it once.
   *
   * @param run the name of the directory of the start
   */
  String name(ReplicaRef replica, String run) {
    return "orrery-%s-%s-%s-%s".formatted(server, replica.workload().segment(), replica.id(), run);
  }

  /** The label that all containers of this server and cluster have, as a filter has it. */
  String filter() {
    return SERVER + "=" + server;
  }

  Map<String, String> of(ReplicaRef replica) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(SERVER, server);
    labels.put(PREFIX + "cluster", cluster);
    labels.put(PREFIX + "workload", replica.workload().toString());
    labels.put(PREFIX + "generation", Long.toString(replica.generation()));
    labels.put(PREFIX + "ordinal", Integer.toString(replica.ordinal()));
    labels.put(REPLICA, replica.toString());
    return labels;
  }

  /** The replica of a container's labels; null when they name none. */
  @Nullable ReplicaRef replica(Map<String, String> labels) {
    try {
      String text = labels.get(REPLICA);
      return text == null ? null : ReplicaRef.parse(text);
    } catch (IllegalArgumentException other) {
      return null;
    }
  }
}
