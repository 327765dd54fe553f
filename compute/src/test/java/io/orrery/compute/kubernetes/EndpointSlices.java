package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.Map;

/**
 * The EndpointSlice controller of a {@link MockCluster}: one slice for each Service with a
 * selector, as Kubernetes 1.36 writes it. A pod with an address is an endpoint: {@code ready} when
 * it is Ready and not being deleted, {@code serving} when it is Ready, {@code terminating} when it
 * is being deleted.
 */
final class EndpointSlices {
  private static final String SERVICES = MockCluster.path("v1", "trials", "services");
  private static final String PODS = MockCluster.path("v1", "trials", "pods");
  private static final String SLICES =
      MockCluster.path("discovery.k8s.io/v1", "trials", "endpointslices");

  private final MockCluster cluster;

  /** Whether there ever was a Service: without one there is nothing to follow. */
  private volatile boolean wanted;

  EndpointSlices(MockCluster cluster) {
    this.cluster = cluster;
  }

  /** An object was created, changed or deleted. */
  void changed(String path) {
    wanted |= path.startsWith(SERVICES);
    if (wanted && (path.startsWith(SERVICES) || path.startsWith(PODS))) {
      cluster.later(this::reconcile);
    }
  }

  private synchronized void reconcile() {
    for (JsonNode service : cluster.list(SERVICES)) {
      if (service.at("/spec/selector").isEmpty()) {
        continue;
      }
      ObjectNode slice = slice(service);
      String path = SLICES + "/" + slice.at("/metadata/name").asText();
      JsonNode present = cluster.get(path);
      if (present.isEmpty()) {
        cluster.create(SLICES, slice);
      } else if (!present.path("endpoints").equals(slice.path("endpoints"))) {
        ArrayNode patch = Json.MAPPER.createArrayNode();
        patch
            .addObject()
            .put("op", "replace")
            .put("path", "/endpoints")
            .set("value", slice.path("endpoints"));
        cluster.patch(path, patch);
      }
    }
  }

  private ObjectNode slice(JsonNode service) {
    String name = service.at("/metadata/name").asText();
    ObjectNode slice = Json.MAPPER.createObjectNode();
    slice.put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
    ObjectNode metadata = slice.putObject("metadata");
    metadata.put("name", name + "-mgf65").put("namespace", "trials");
    metadata
        .putObject("labels")
        .put("endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io")
        .put("kubernetes.io/service-name", name);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Service")
        .put("name", name)
        .put("uid", service.at("/metadata/uid").asText())
        .put("controller", true);
    slice.put("addressType", "IPv4");
    ArrayNode endpoints = slice.putArray("endpoints");
    for (JsonNode pod : cluster.list(PODS)) {
      if (isSelected(service.at("/spec/selector"), pod) && pod.at("/status/podIP").isTextual()) {
        endpoints.add(endpoint(pod));
      }
    }
    ArrayNode ports = slice.putArray("ports");
    for (JsonNode port : service.at("/spec/ports")) {
      ObjectNode one = ports.addObject();
      one.put("name", port.path("name").asText()).put("protocol", "TCP");
      one.set("port", port.has("targetPort") ? port.path("targetPort") : port.path("port"));
    }
    return slice;
  }

  private static boolean isSelected(JsonNode selector, JsonNode pod) {
    for (Map.Entry<String, JsonNode> label : selector.properties()) {
      if (!pod.at("/metadata/labels").path(label.getKey()).equals(label.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static ObjectNode endpoint(JsonNode pod) {
    boolean ready = false;
    for (JsonNode condition : pod.at("/status/conditions")) {
      ready |=
          condition.path("type").asText().equals("Ready")
              && condition.path("status").asText().equals("True");
    }
    boolean leaving = pod.at("/metadata/deletionTimestamp").isTextual();
    ObjectNode endpoint = Json.MAPPER.createObjectNode();
    endpoint.putArray("addresses").add(pod.at("/status/podIP").asText());
    endpoint
        .putObject("conditions")
        .put("ready", ready && !leaving)
        .put("serving", ready)
        .put("terminating", leaving);
    endpoint
        .putObject("targetRef")
        .put("kind", "Pod")
        .put("namespace", "trials")
        .put("name", pod.at("/metadata/name").asText())
        .put("uid", pod.at("/metadata/uid").asText());
    return endpoint;
  }
}
