package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Pointer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of one section, and the one way to read all of them. */
public record Schema(List<Field> fields) {
  public Schema {
    fields = List.copyOf(fields);
  }

  public static Schema of(Field... fields) {
    return new Schema(List.of(fields));
  }

  public Schema and(Schema more) {
    return new Schema(Stream.concat(fields.stream(), more.fields.stream()).toList());
  }

  public List<String> names() {
    return fields.stream().map(Field::name).toList();
  }

  /** The same object with its keys in the order of the declaration. */
  public ObjectNode ordered(ObjectNode canonical) {
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    for (Field field : fields) {
      if (canonical.has(field.name())) {
        ordered.set(field.name(), canonical.get(field.name()));
      }
    }
    return ordered;
  }

  /**
   * Reads an object: keys matched as NNI does, unknown ones refused, defaults filled in, nulls
   * dropped.
   *
   * @param pointer canonical
   * @return the canonical form, as far as there was nothing wrong
   */
  public ObjectNode read(JsonNode given, String pointer, Walk walk) {
    Map<String, JsonNode> values = match(given, pointer, walk);
    ObjectNode canonical = JsonNodeFactory.instance.objectNode();
    for (Field field : fields) {
      String at = Pointer.child(pointer, field.name());
      JsonNode value = values.getOrDefault(field.name(), field.standard());
      if (value != null) {
        JsonNode read = field.type().read(value, at, walk);
        if (read == null) {
          walk.excuse(at);
        } else {
          canonical.set(field.name(), read);
        }
      } else if (field.required() && !walk.excused(at)) {
        walk.refuse(at, "is missing: " + field.meaning());
      }
      if (field.inert() != null && values.containsKey(field.name())) {
        walk.notice(walk.places().name(at) + " has no effect: " + field.inert());
      }
    }
    return canonical;
  }

  private Map<String, JsonNode> match(JsonNode given, String pointer, Walk walk) {
    Map<String, JsonNode> values = new HashMap<>();
    Map<String, String> spelled = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : given.properties()) {
      String key = entry.getKey();
      String own = walk.places().written(Pointer.child(pointer, key));
      var known = Keys.find(key, names());
      if (known.isEmpty()) {
        walk.unknown(key, own, pointer, this);
        continue;
      }
      String name = known.get();
      String twin = spelled.putIfAbsent(name, key);
      if (twin != null) {
        walk.here(own, "'" + key + "' is the same key as '" + twin + "', which is here as well");
        continue;
      }
      if (!key.equals(name)) {
        walk.places().put(Pointer.child(pointer, name), own);
      }
      if (!entry.getValue().isNull()) {
        values.put(name, entry.getValue());
      }
    }
    return values;
  }
}
