package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;

/** An owner reference of Kubernetes: an object goes when all of its owners have gone. */
public final class OwnerReference {
  private OwnerReference() {}

  /**
   * @param metadata the owner's
   */
  public static ObjectNode of(ResourceType type, JsonNode metadata) {
    return Json.MAPPER
        .createObjectNode()
        .put("apiVersion", type.apiVersion())
        .put("kind", type.kind())
        .put("name", metadata.path("name").asText())
        .put("uid", metadata.path("uid").asText());
  }
}
