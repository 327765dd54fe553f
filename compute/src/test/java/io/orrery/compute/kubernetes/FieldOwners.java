package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code managedFields} of an object: which manager owns which fields. A field is the path to a
 * leaf, in the notation of {@code FieldsV1}; a list is one leaf, but for owner references, each of
 * which is one.
 */
final class FieldOwners {
  private static final String OWNERS = "ownerReferences";
  private static final Set<String> IDENTITY =
      Set.of("name", "namespace", "resourceVersion", "uid", "creationTimestamp", "managedFields");

  /**
   * A manager, as one entry names it.
   *
   * @param subresource null for the object itself
   */
  record Manager(String name, String operation, @Nullable String subresource, String apiVersion) {
    String words() {
      return "\"%s\"%s using %s"
          .formatted(
              name,
              subresource == null ? "" : " with subresource \"" + subresource + "\"",
              apiVersion);
    }
  }

  private final Map<Manager, Set<List<String>>> owners = new LinkedHashMap<>();

  /** Reads them from an object. */
  static FieldOwners of(JsonNode object) {
    FieldOwners all = new FieldOwners();
    for (JsonNode entry : object.at("/metadata/managedFields")) {
      Set<List<String>> fields = new LinkedHashSet<>();
      decode(entry.path("fieldsV1"), List.of(), fields);
      Manager manager =
          new Manager(
              entry.path("manager").asText(),
              entry.path("operation").asText(),
              entry.path("subresource").textValue(),
              entry.path("apiVersion").asText());
      all.owners.put(manager, fields);
    }
    return all;
  }

  private static void decode(JsonNode fields, List<String> at, Set<List<String>> found) {
    if (fields.isEmpty() && !at.isEmpty()) {
      found.add(at);
    }
    fields.properties().forEach(field -> decode(field.getValue(), with(at, field.getKey()), found));
  }

  /** The managers that own a field, but for one. */
  List<Manager> others(List<String> field, Manager but) {
    return owners.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(but) && entry.getValue().contains(field))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The fields of a manager. */
  Set<List<String>> of(Manager manager) {
    return Set.copyOf(owners.getOrDefault(manager, Set.of()));
  }

  /** Gives a manager these fields and no others. */
  void set(Manager manager, Set<List<String>> fields) {
    owners.put(manager, new LinkedHashSet<>(fields));
  }

  /** Takes a field from a manager. */
  void take(Manager manager, List<String> field) {
    Set<List<String>> fields = owners.getOrDefault(manager, Set.of());
    fields.remove(field);
    if (fields.isEmpty()) {
      owners.remove(manager);
    }
  }

  /** Writes them into an object. */
  void writeTo(ObjectNode object) {
    ArrayNode entries = object.withObjectProperty("metadata").putArray("managedFields");
    owners.forEach((manager, fields) -> {
      ObjectNode entry = entries.addObject();
      entry.put("manager", manager.name()).put("operation", manager.operation());
      entry.put("apiVersion", manager.apiVersion()).put("fieldsType", "FieldsV1");
      if (manager.subresource() != null) {
        entry.put("subresource", manager.subresource());
      }
      ObjectNode tree = entry.putObject("fieldsV1");
      for (List<String> field : fields) {
        ObjectNode here = tree;
        for (String step : field) {
          here = here.get(step) instanceof ObjectNode known ? known : here.putObject(step);
        }
      }
    });
  }

  // ---- fields of objects ---------------------------------------------------------------------

  /** The leaves of an object that can be owned, with their values. */
  static Map<List<String>, JsonNode> leaves(JsonNode object) {
    Map<List<String>, JsonNode> leaves = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : new TreeMap<>(fields(object)).entrySet()) {
      if (!field.getKey().equals("apiVersion") && !field.getKey().equals("kind")) {
        collect(field.getValue(), List.of("f:" + field.getKey()), leaves);
      }
    }
    return leaves;
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    return fields;
  }

  private static void collect(JsonNode value, List<String> at, Map<List<String>, JsonNode> leaves) {
    if (at.getLast().equals("f:" + OWNERS)) {
      value.forEach(owner -> leaves.put(with(at, key(owner)), owner));
    } else if (value.isObject()) {
      value.properties().stream()
          .filter(field ->
              at.size() > 1
                  || !at.getFirst().equals("f:metadata")
                  || !IDENTITY.contains(field.getKey()))
          .forEach(field -> collect(field.getValue(), with(at, "f:" + field.getKey()), leaves));
    } else {
      leaves.put(at, value);
    }
  }

  private static String key(JsonNode owner) {
    return "k:{\"uid\":\"" + owner.path("uid").asText() + "\"}";
  }

  private static List<String> with(List<String> path, String step) {
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return List.copyOf(longer);
  }

  /** A field as messages write it, such as {@code .spec.replicas}. */
  static String words(List<String> field) {
    StringBuilder words = new StringBuilder();
    field.forEach(
        step -> words.append(step.startsWith("f:") ? "." + step.substring(2) : "[" + step + "]"));
    return words.toString();
  }

  /** The value of a field; null when the object has none. */
  static @Nullable JsonNode value(JsonNode object, List<String> field) {
    JsonNode here = object;
    for (String step : field) {
      here = step.startsWith("f:") ? here.path(step.substring(2)) : element(here, step);
    }
    return here.isMissingNode() ? null : here;
  }

  private static JsonNode element(JsonNode list, String key) {
    for (JsonNode each : list) {
      if (key(each).equals(key)) {
        return each;
      }
    }
    return Json.MAPPER.missingNode();
  }

  /**
   * Sets a field, or removes it.
   *
   * @param value null to remove it
   */
  static void put(ObjectNode object, List<String> field, @Nullable JsonNode value) {
    ObjectNode here = object;
    for (String step : field.subList(0, field.size() - 1)) {
      String name = step.substring(2);
      if (name.equals(OWNERS)) {
        putOwner(here.withArrayProperty(name), field.getLast(), value);
        return;
      }
      here = here.withObjectProperty(name);
    }
    String name = field.getLast().substring(2);
    if (value == null) {
      here.remove(name);
    } else {
      here.set(name, value);
    }
  }

  private static void putOwner(ArrayNode owners, String key, @Nullable JsonNode value) {
    for (int i = owners.size() - 1; i >= 0; i--) {
      if (key(owners.get(i)).equals(key)) {
        owners.remove(i);
      }
    }
    if (value != null) {
      owners.add(value);
    }
  }
}
