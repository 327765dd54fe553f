package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies Kubernetes' strategic merge patch to a pod template: objects merge field by field, {@code
 * null} removes, and a list whose elements have a key (containers by name, mounts by path) merges
 * element by element; any other list is replaced. {@code $patch: delete} and {@code $patch:
 * replace} work within such lists and objects.
 */
public final class StrategicMerge {
  private static final String DIRECTIVE = "$patch";

  /** The lists of a pod that have a key, after {@code patchMergeKey} of the API. */
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("containers", "name"),
          Map.entry("initContainers", "name"),
          Map.entry("ephemeralContainers", "name"),
          Map.entry("env", "name"),
          Map.entry("volumes", "name"),
          Map.entry("imagePullSecrets", "name"),
          Map.entry("volumeMounts", "mountPath"),
          Map.entry("volumeDevices", "devicePath"),
          Map.entry("ports", "containerPort"),
          Map.entry("hostAliases", "ip"),
          Map.entry("topologySpreadConstraints", "topologyKey"),
          Map.entry("resourceClaims", "name"),
          Map.entry("schedulingGates", "name"),
          Map.entry("ownerReferences", "uid"));

  private StrategicMerge() {}

  /** Changes the target by the patch. */
  public static void into(ObjectNode target, JsonNode patch) {
    if (patch.path(DIRECTIVE).asText().equals("replace")) {
      target.removeAll();
    }
    for (Map.Entry<String, JsonNode> entry : patch.properties()) {
      String field = entry.getKey();
      JsonNode value = entry.getValue();
      JsonNode before = target.get(field);
      if (field.equals(DIRECTIVE)) {
        continue;
      }
      if (value.isNull()) {
        target.remove(field);
      } else if (value.isObject()) {
        into(before instanceof ObjectNode object ? object : target.putObject(field), value);
      } else if (value.isArray() && KEYS.containsKey(field)) {
        ArrayNode list = before instanceof ArrayNode array ? array : target.putArray(field);
        elements(list, value, KEYS.getOrDefault(field, ""));
      } else {
        target.set(field, value.deepCopy());
      }
    }
  }

  private static void elements(ArrayNode list, JsonNode patch, String key) {
    for (JsonNode change : patch) {
      int at = index(list, key, change.get(key));
      boolean delete = change.path(DIRECTIVE).asText().equals("delete");
      if (at >= 0 && delete) {
        list.remove(at);
      } else if (at >= 0 && list.get(at) instanceof ObjectNode element) {
        into(element, change);
      } else if (!delete) {
        into(list.addObject(), change);
      }
    }
  }

  private static int index(ArrayNode list, String key, @Nullable JsonNode value) {
    for (int i = 0; i < list.size(); i++) {
      if (value != null && value.equals(list.get(i).get(key))) {
        return i;
      }
    }
    return -1;
  }
}
