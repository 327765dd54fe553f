package io.orrery.compute.runtime.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.core.digest.Sha256;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names, labels and annotations of pods, by which a server finds its own: the server is told by
 * a digest of its home, so that two servers may use one namespace.
 *
 * @param server the digest
 */
record PodNames(String server) {
  private static final String WORKLOAD = "orrery.io/workload";
  private static final String REPLICA = "orrery.io/replica";

  /** A label's value and a host name have at most 63 characters. */
  private static final int LONGEST = 63;

  /** The bytes of a digest at the end of what is cut. */
  private static final int DIGEST = 4;

  private static final String PULL = "-pull";

  /** The characters of a workload's name that are kept in the names of its pods. */
  private static final int KEPT = 30;

  static PodNames of(Path home, String cluster) {
    return new PodNames(Sha256.hex(home + "\n" + cluster, 8));
  }

  /**
   * The name of a pod, which is the claim of a start: the API server gives it once.
   *
   * @param run the name of the directory of the start
   */
  String pod(ReplicaRef replica, String run) {
    String name = replica.workload().name().replace('.', '-');
    String digest = Sha256.hex(server + "\n" + replica.workload(), 4);
    return "%s-%s-%s-%s"
        .formatted(
            name.substring(0, Math.min(KEPT, name.length())), digest, replica.id(), number(run));
  }

  /** The name of the Secret with the login of a pod's registry. */
  static String pull(String pod) {
    return pod + PULL;
  }

  /** The pod of a Secret, whose name it has or begins with. */
  static String podOfPull(String secret) {
    return secret.endsWith(PULL) ? secret.substring(0, secret.length() - PULL.length()) : secret;
  }

  private static String number(String run) {
    return run.replaceAll("\\D", "");
  }

  /** The labels of every object of this server. */
  Map<String, String> ours() {
    return PodNamespace.labels(server);
  }

  /** The labels of the objects of a replica. */
  Map<String, String> labels(ReplicaRef replica) {
    Map<String, String> labels = new LinkedHashMap<>(labels(replica.workload()));
    labels.put("orrery.io/generation", Long.toString(replica.generation()));
    return labels;
  }

  /** The labels of the objects of a workload that are of no single replica. */
  Map<String, String> labels(WorkloadRef workload) {
    Map<String, String> labels = new LinkedHashMap<>(ours());
    labels.put("app.kubernetes.io/name", label(workload.name()));
    labels.put(WORKLOAD, label(workload.segment()));
    return labels;
  }

  /** The labels by which a Service finds the pods of a workload. */
  Map<String, String> selector(WorkloadRef workload) {
    Map<String, String> labels = new LinkedHashMap<>(labels(workload));
    labels.keySet().retainAll(Set.of("orrery.io/server", WORKLOAD));
    return labels;
  }

  /** Whether an object is one of a service of this server. */
  boolean isOfService(JsonNode metadata) {
    String segment = metadata.path("labels").path(WORKLOAD).asText();
    return has(metadata, ours()) && segment.startsWith(WorkloadKind.SERVICE.word() + "-");
  }

  /**
   * Whether an object with a name of a workload is one of that workload: also one that an earlier
   * release has labelled, which cut long names without a digest.
   */
  boolean isOf(WorkloadRef workload, JsonNode metadata) {
    Map<String, String> cut = new LinkedHashMap<>(selector(workload));
    String segment = workload.segment();
    cut.put(
        WORKLOAD,
        segment.substring(0, Math.min(LONGEST, segment.length())).replaceFirst("[^a-z0-9]+$", ""));
    return has(metadata, selector(workload)) || has(metadata, cut);
  }

  private static boolean has(JsonNode metadata, Map<String, String> wanted) {
    JsonNode labels = metadata.path("labels");
    return wanted.entrySet().stream()
        .allMatch(label -> labels.path(label.getKey()).asText().equals(label.getValue()));
  }

  /** A text as the value of a label: of one that is too long the beginning, and a digest. */
  private static String label(String text) {
    return text.length() <= LONGEST
        ? text
        : text.substring(0, LONGEST - 1 - 2 * DIGEST) + "-" + Sha256.hex(text, DIGEST);
  }

  /** The annotations of a pod. */
  Map<String, String> annotations(ReplicaRef replica) {
    return Map.of(REPLICA, replica.toString());
  }

  /** The replica of a pod's annotations; null when they name none. */
  static @Nullable ReplicaRef replica(Map<String, String> annotations) {
    try {
      String text = annotations.get(REPLICA);
      return text == null ? null : ReplicaRef.parse(text);
    } catch (IllegalArgumentException other) {
      return null;
    }
  }
}
