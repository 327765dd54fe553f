package io.orrery.studio.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.schema.DocumentSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the schema of a kind in forms that a reader of documents can be compared with. */
public final class SchemaKeys {
  private SchemaKeys() {}

  /** The keys of a document, or of what lies at a pointer in the schema. */
  public static List<String> of(String kind, String pointer) {
    List<String> keys = new ArrayList<>();
    DocumentSchemas.of(kind)
        .at(pointer)
        .path("properties")
        .fieldNames()
        .forEachRemaining(keys::add);
    return keys;
  }

  /** A document with every key of the schema that is in objects, each without a value. */
  public static ObjectNode empty(String kind) {
    return empty(DocumentSchemas.of(kind));
  }

  private static ObjectNode empty(JsonNode schema) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    for (Map.Entry<String, JsonNode> key : schema.path("properties").properties()) {
      if (key.getValue().has("properties")) {
        object.set(key.getKey(), empty(key.getValue()));
      } else {
        object.putNull(key.getKey());
      }
    }
    return object;
  }

  /** The examples and the default of each key of a document. */
  public static List<Map.Entry<String, JsonNode>> examples(String kind) {
    List<Map.Entry<String, JsonNode>> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> key :
        DocumentSchemas.of(kind).path("properties").properties()) {
      key.getValue().path("examples").forEach(value -> all.add(Map.entry(key.getKey(), value)));
      key.getValue().path("enum").forEach(value -> all.add(Map.entry(key.getKey(), value)));
      if (key.getValue().has("default")) {
        all.add(Map.entry(key.getKey(), key.getValue().get("default")));
      }
    }
    return all;
  }
}
