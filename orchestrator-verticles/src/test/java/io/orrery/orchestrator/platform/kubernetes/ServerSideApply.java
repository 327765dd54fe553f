package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply as Kubernetes 1.36 answers it, for objects whose maps and owners grow: 422
 * without a field manager, 409 for a stale version, 500 for a field that the type does not have,
 * and the same version as before where nothing changes. Who owns which field is not kept. Pure.
 */
final class ServerSideApply {
  private static final Set<String> FIELDS =
      Set.of("apiVersion", "kind", "metadata", "spec", "data", "stringData", "type", "immutable");

  private ServerSideApply() {}

  /**
   * @param query of the request
   * @param present null where there is none yet
   */
  static @Nullable MockResponse refusal(
      @Nullable String query, JsonNode applied, @Nullable JsonNode present) {
    if (query == null || !query.contains("fieldManager=")) {
      return MockCluster.status(
          422, "Invalid", "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value");
    }
    for (Map.Entry<String, JsonNode> field : applied.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        return MockCluster.status(
            500,
            "",
            "failed to create typed patch object: ."
                + field.getKey()
                + ": field not declared in schema");
      }
    }
    String version = applied.at("/metadata/resourceVersion").asText();
    boolean stale =
        present != null
            && !version.isEmpty()
            && !version.equals(present.at("/metadata/resourceVersion").asText());
    return stale
        ? MockCluster.status(409, "Conflict", "Operation cannot be fulfilled: object modified")
        : null;
  }

  /** What the object becomes; equal to what it is where nothing changes. */
  static ObjectNode merged(JsonNode present, JsonNode applied) {
    ObjectNode object = present.deepCopy();
    for (String map : new String[] {"data", "stringData"}) {
      if (applied.path(map) instanceof ObjectNode data) {
        object.withObjectProperty(map).setAll(data);
      }
    }
    JsonNode more = applied.at("/metadata/ownerReferences");
    if (!more.isEmpty()) {
      ArrayNode owners = object.withObjectProperty("metadata").withArrayProperty("ownerReferences");
      for (JsonNode owner : more) {
        if (owners.findValuesAsText("uid").stream().noneMatch(owner.path("uid").asText()::equals)) {
          owners.add(owner);
        }
      }
    }
    return object;
  }
}
