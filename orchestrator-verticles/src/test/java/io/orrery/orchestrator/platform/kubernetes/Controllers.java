package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.List;
import java.util.Map;

/** The controllers of a {@link MockCluster}: each makes the pods of its kind, and its status. */
final class Controllers {
  private final MockCluster cluster;

  Controllers(MockCluster cluster) {
    this.cluster = cluster;
  }

  void created(JsonNode object) {
    if (object.path("kind").asText().equals("Job")) {
      status(object, condition("none", "", "").put("active", 1), List.of());
      cluster.pod(
          object,
          object.at("/metadata/name").asText() + "-x7k2p",
          object.at("/spec/template"),
          Map.of());
    }
  }

  void podChanged(JsonNode owner) {
    List<JsonNode> pods = pods(owner);
    if (owner.path("kind").asText().equals("Job")) {
      for (JsonNode pod : pods) {
        String phase = pod.at("/status/phase").asText();
        switch (phase) {
          case "Running" -> status(owner, Json.MAPPER.createObjectNode().put("active", 1).put("ready", 1), List.of());
          case "Succeeded" ->
              status(
                  owner,
                  Json.MAPPER.createObjectNode().put("succeeded", 1),
                  List.of(condition("Complete", "", "")));
          case "Failed" ->
              status(
                  owner,
                  Json.MAPPER.createObjectNode().put("failed", 1),
                  List.of(
                      condition(
                          "Failed",
                          "BackoffLimitExceeded",
                          "Job has reached the specified backoff limit")));
          default -> {}
        }
      }
    }
  }

  private List<JsonNode> pods(JsonNode owner) {
    String namespace = owner.at("/metadata/namespace").asText();
    String uid = owner.at("/metadata/uid").asText();
    return cluster.list(MockCluster.path("v1", namespace, "pods")).stream()
        .filter(pod -> pod.at("/metadata/ownerReferences/0/uid").asText().equals(uid))
        .toList();
  }

  private void status(JsonNode owner, ObjectNode status, List<ObjectNode> conditions) {
    status.put("startTime", MockCluster.now());
    status.remove(List.of("type", "status", "reason", "message", "lastTransitionTime"));
    if (!conditions.isEmpty()) {
      ArrayNode list = status.putArray("conditions");
      conditions.forEach(list::add);
    }
    String plural = owner.path("kind").asText().toLowerCase(java.util.Locale.ROOT) + "s";
    cluster.setStatus(
        MockCluster.path(
                owner.path("apiVersion").asText(), owner.at("/metadata/namespace").asText(), plural)
            + "/"
            + owner.at("/metadata/name").asText(),
        status);
  }

  private static ObjectNode condition(String type, String reason, String message) {
    return Json.MAPPER
        .createObjectNode()
        .put("type", type)
        .put("status", "True")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", MockCluster.now());
  }
}
