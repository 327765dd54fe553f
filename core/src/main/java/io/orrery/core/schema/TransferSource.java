package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Pointer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an entry of {@code transfer}: the id of an experiment, or {@code {id: …, rename: {…}}},
 * which says what its parameters are called here.
 */
final class TransferSource {
  private static final String ID = "id";
  private static final String RENAME = "rename";

  private TransferSource() {}

  /** The canonical entry; null when there is none, after a finding. */
  static @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
    if (!value.isObject()) {
      return id(value, pointer, walk);
    }
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      if (!entry.getKey().equals(ID) && !entry.getKey().equals(RENAME)) {
        return refuse(
            Pointer.child(pointer, entry.getKey()), "is not known; there is id and rename", walk);
      }
    }
    if (!value.has(ID)) {
      return refuse(pointer, "must have an id, that of an experiment", walk);
    }
    JsonNode id = id(value.path(ID), Pointer.child(pointer, ID), walk);
    ObjectNode rename = rename(value.path(RENAME), Pointer.child(pointer, RENAME), walk);
    if (id == null || rename == null) {
      return null;
    }
    ObjectNode canonical = JsonNodeFactory.instance.objectNode();
    canonical.set(ID, id);
    if (value.has(RENAME)) {
      canonical.set(RENAME, rename);
    }
    return canonical;
  }

  private static @Nullable JsonNode id(JsonNode value, String pointer, Walk walk) {
    return value.isTextual() && ExperimentId.valid(value.textValue())
        ? value
        : refuse(pointer, "must be the id of an experiment, this is " + Shown.of(value), walk);
  }

  private static @Nullable ObjectNode rename(JsonNode value, String pointer, Walk walk) {
    ObjectNode canonical = JsonNodeFactory.instance.objectNode();
    if (!value.isObject() && !value.isMissingNode()) {
      refuse(
          pointer,
          "must be an object: the name of a parameter there, and its name here; this is "
              + Shown.of(value),
          walk);
      return null;
    }
    Set<String> taken = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      String at = Pointer.child(pointer, entry.getKey());
      if (!entry.getValue().isTextual()) {
        refuse(at, "must be the name of a parameter, this is " + Shown.of(entry.getValue()), walk);
        return null;
      }
      if (!taken.add(entry.getValue().textValue())) {
        refuse(at, "must be another name: two parameters cannot be one", walk);
        return null;
      }
      canonical.set(entry.getKey(), entry.getValue());
    }
    return canonical;
  }

  private static @Nullable JsonNode refuse(String pointer, String why, Walk walk) {
    walk.refuse(pointer, why);
    return null;
  }
}
