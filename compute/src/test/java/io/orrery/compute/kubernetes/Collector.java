package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.orrery.core.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The garbage collector of a {@link MockCluster}: follows the owner references of objects. */
final class Collector {
  private final MockCluster cluster;
  private final Set<String> collected = ConcurrentHashMap.newKeySet();

  Collector(MockCluster cluster) {
    this.cluster = cluster;
  }

  /** Deletes the objects that only deleted objects owned. */
  void collect(JsonNode gone) {
    collected.add(gone.at("/metadata/uid").asText());
    owned(gone)
        .forEach((path, object) -> {
          if (collected.containsAll(owners(object))) {
            cluster.delete(path);
          }
        });
  }

  /** Takes an owner from the objects that it owned, which stay. */
  void orphan(JsonNode gone) {
    String uid = gone.at("/metadata/uid").asText();
    owned(gone)
        .forEach((path, object) -> {
          ArrayNode others = Json.MAPPER.createArrayNode();
          object
              .at("/metadata/ownerReferences")
              .valueStream()
              .filter(owner -> !owner.path("uid").asText().equals(uid))
              .forEach(others::add);
          ArrayNode patch = Json.MAPPER.createArrayNode();
          patch
              .addObject()
              .put("op", "replace")
              .put("path", "/metadata/ownerReferences")
              .set("value", others);
          cluster.patch(path, patch);
        });
  }

  /** The objects that an object owns, by path. */
  private Map<String, JsonNode> owned(JsonNode owner) {
    String namespace = owner.at("/metadata/namespace").asText();
    String uid = owner.at("/metadata/uid").asText();
    Map<String, JsonNode> owned = new LinkedHashMap<>();
    for (String plural : List.of("pods", "secrets", "configmaps", "persistentvolumeclaims")) {
      for (JsonNode object : cluster.list(MockCluster.path("v1", namespace, plural))) {
        if (owners(object).contains(uid)) {
          owned.put(MockCluster.pathOf(object, plural), object);
        }
      }
    }
    return owned;
  }

  private static List<String> owners(JsonNode object) {
    return object
        .at("/metadata/ownerReferences")
        .valueStream()
        .map(owner -> owner.path("uid").asText())
        .toList();
  }
}
