package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The faults that a real API server finds in an object, by the definition of its kind, with strict
 * field validation: types, required fields, enums, and fields that the definition does not know.
 */
public final class Definitions {
  private Definitions() {}

  /** All that is wrong; empty when nothing is. */
  public static List<String> faults(Path definition, JsonNode object) throws IOException {
    JsonNode root = Document.read(Files.readString(definition)).root();
    String version = object.path("apiVersion").asText().replaceFirst(".*/", "");
    for (JsonNode served : root.at("/spec/versions")) {
      if (served.path("name").asText().equals(version)) {
        List<String> faults = new ArrayList<>();
        check(
            served.at("/schema/openAPIV3Schema/properties/spec"),
            object.path("spec"),
            "spec",
            faults);
        return faults;
      }
    }
    return List.of("the version " + version + " is not served");
  }

  private static void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
    boolean fits =
        switch (schema.path("type").asText()) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "integer" -> value.isIntegralNumber();
          case "boolean" -> value.isBoolean();
          default -> true;
        };
    if (!fits) {
      faults.add(at + " must be of type " + schema.path("type").asText());
      return;
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      faults.add(at + " must be one of " + schema.path("enum"));
    }
    for (JsonNode required : schema.path("required")) {
      if (value.isObject() && !value.has(required.asText())) {
        faults.add(at + "." + required.asText() + " is missing");
      }
    }
    boolean free = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String there = at + "." + field.getKey();
      JsonNode known = schema.path("properties").path(field.getKey());
      JsonNode any = schema.path("additionalProperties");
      if (!known.isMissingNode()) {
        check(known, field.getValue(), there, faults);
      } else if (any.isObject()) {
        check(any, field.getValue(), there, faults);
      } else if (!free && schema.has("properties")) {
        faults.add(there + " is not known");
      }
    }
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.path("items"), value.get(i), at + "[" + i + "]", faults);
      }
    }
  }
}
