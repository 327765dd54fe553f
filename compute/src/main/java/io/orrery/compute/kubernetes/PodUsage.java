package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.orrery.core.workload.Readings;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what pods use, from the metrics APIs from which a HorizontalPodAutoscaler has it. */
final class PodUsage {
  private PodUsage() {}

  /**
   * By the name of the pod; of GPUs only where an adapter tells them.
   *
   * @throws IOException when the cluster has no metrics server
   */
  static Map<String, Readings> read(Cluster cluster, Map<String, String> labels)
      throws IOException {
    JsonNode pods = read(cluster, ResourceType.POD_METRICS, "pods", labels);
    if (pods == null) {
      throw new IOException(
          "the cluster has no metrics server (metrics.k8s.io), so what pods use is not known");
    }
    Map<String, Readings> all = new HashMap<>();
    for (JsonNode pod : pods.path("items")) {
      double cores = 0;
      double memory = 0;
      for (JsonNode container : pod.path("containers")) {
        cores += amount(container.at("/usage/cpu"));
        memory += amount(container.at("/usage/memory"));
      }
      all.put(
          pod.at("/metadata/name").asText(),
          new Readings(Map.of(Readings.CPU, cores, Readings.MEMORY, memory), Map.of()));
    }
    JsonNode gpus = read(cluster, ResourceType.POD_GPU_USAGE, "pods/*/container_gpu_usage", labels);
    if (gpus != null) {
      for (JsonNode each : gpus.path("items")) {
        all.computeIfPresent(
            each.at("/describedObject/name").asText(),
            (name, known) ->
                known.with(
                    new Readings(Map.of(Readings.GPU, amount(each.path("value"))), Map.of())));
      }
    }
    return all;
  }

  /** Null when the cluster does not serve the type. */
  private static @Nullable JsonNode read(
      Cluster cluster, ResourceType type, String path, Map<String, String> labels) {
    return cluster.read(
        "/apis/%s/namespaces/%s/%s?%s"
            .formatted(type.apiVersion(), cluster.namespace(), path, Cluster.selector(labels)));
  }

  private static double amount(JsonNode quantity) {
    return quantity.isMissingNode()
        ? 0
        : Quantity.getAmountInBytes(Quantity.parse(quantity.asText())).doubleValue();
  }
}
