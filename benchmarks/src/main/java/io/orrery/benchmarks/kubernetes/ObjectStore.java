package io.orrery.benchmarks.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an API server: objects by the path of their collection and by name, each with the
 * version of its last change, and the last changes. Nothing looks at more objects than it is asked
 * for, so that a request costs the same however many there are. For one thread.
 */
final class ObjectStore {
  /** As many changes as a watch may have missed and still be carried on. */
  private static final int REMEMBERED = 20_000;

  /** The label by which few objects of many are asked for. */
  private static final String INDEXED = "orrery.io/job";

  private final Map<String, Map<String, ObjectNode>> collections = new HashMap<>();
  private final Map<String, Map<String, ObjectNode>> byJob = new HashMap<>();
  private final Map<String, List<Place>> owned = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final Consumer<Change> told;
  private long version = 1;

  /** The place of an object. */
  private record Place(String collection, String name) {}

  /**
   * A change as watches tell it.
   *
   * @param collection the path of the objects of its type
   * @param text one line of JSON
   */
  record Change(String collection, long version, Map<String, String> labels, String text) {
    /** Whether a watcher with this selector is to be told of it. */
    boolean concerns(String watched, Map<String, String> selector) {
      return collection.equals(watched) && labels.entrySet().containsAll(selector.entrySet());
    }
  }

  /**
   * @param told each change as it happens
   */
  ObjectStore(Consumer<Change> told) {
    this.told = told;
  }

  long version() {
    return version;
  }

  @Nullable ObjectNode find(String collection, String name) {
    return collections.getOrDefault(collection, Map.of()).get(name);
  }

  /** The objects of a collection that have these labels. */
  List<ObjectNode> list(String collection, Map<String, String> selector) {
    String job = selector.get(INDEXED);
    Map<String, ObjectNode> candidates =
        job == null
            ? collections.getOrDefault(collection, Map.of())
            : byJob.getOrDefault(collection + " " + job, Map.of());
    return candidates.values().stream()
        .filter(object -> labels(object).entrySet().containsAll(selector.entrySet()))
        .toList();
  }

  /** Adds an object, with what a server adds to it; null when one has its name. */
  @Nullable ObjectNode create(String collection, ObjectNode object, String namespace) {
    String name = object.at("/metadata/name").asText();
    if (find(collection, name) != null) {
      return null;
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata
        .put("namespace", namespace)
        .put("uid", UUID.randomUUID().toString())
        .put("creationTimestamp", "2026-01-01T00:00:00Z")
        .put("generation", 1);
    ObjectNode fields = fields(object);
    metadata
        .putArray("managedFields")
        .addObject()
        .put("manager", "orrery")
        .put("operation", "Update")
        .put("apiVersion", object.path("apiVersion").asText())
        .put("time", "2026-01-01T00:00:00Z")
        .put("fieldsType", "FieldsV1")
        .set("fieldsV1", fields);
    collections.computeIfAbsent(collection, path -> new LinkedHashMap<>()).put(name, object);
    String job = labels(object).get(INDEXED);
    if (job != null) {
      byJob
          .computeIfAbsent(collection + " " + job, key -> new LinkedHashMap<>(2))
          .put(name, object);
    }
    own(collection, object);
    changed("ADDED", collection, object);
    return object;
  }

  /** Something in an object was changed by the caller. */
  void update(String collection, ObjectNode object) {
    own(collection, object);
    changed("MODIFIED", collection, object);
  }

  /** Removes an object and what it owns; null when it is not there. */
  @Nullable ObjectNode delete(String collection, String name) {
    Map<String, ObjectNode> all = collections.getOrDefault(collection, Map.of());
    ObjectNode object = all.get(name);
    if (object == null) {
      return null;
    }
    all.remove(name);
    String job = labels(object).get(INDEXED);
    if (job != null) {
      byJob.computeIfPresent(
          collection + " " + job,
          (key, others) -> {
            others.remove(name);
            return others.isEmpty() ? null : others;
          });
    }
    changed("DELETED", collection, object);
    List<Place> dependents = owned.remove(object.at("/metadata/uid").asText());
    if (dependents != null) {
      dependents.forEach(this::collect);
    }
    return object;
  }

  /** What has no owner left goes as well. */
  private void collect(Place place) {
    ObjectNode object = find(place.collection(), place.name());
    boolean held =
        object != null
            && object
                .at("/metadata/ownerReferences")
                .valueStream()
                .anyMatch(owner -> owned.containsKey(owner.path("uid").asText()));
    if (!held) {
      delete(place.collection(), place.name());
    }
  }

  /** All changes after a version; null when some of them are forgotten. */
  @Nullable Collection<Change> since(long known) {
    if (known < version && (changes.isEmpty() || changes.getFirst().version() > known + 1)) {
      return null;
    }
    List<Change> later = new ArrayList<>();
    changes.forEach(change -> {
      if (change.version() > known) {
        later.add(change);
      }
    });
    return later;
  }

  private void own(String collection, ObjectNode object) {
    for (JsonNode owner : object.at("/metadata/ownerReferences")) {
      Place place = new Place(collection, object.at("/metadata/name").asText());
      List<Place> all =
          owned.computeIfAbsent(owner.path("uid").asText(), uid -> new ArrayList<>(2));
      if (!all.contains(place)) {
        all.add(place);
      }
    }
  }

  private void changed(String type, String collection, ObjectNode object) {
    version++;
    ((ObjectNode) object.path("metadata")).put("resourceVersion", Long.toString(version));
    String text = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    Change change = new Change(collection, version, labels(object), text);
    changes.add(change);
    if (changes.size() > REMEMBERED) {
      changes.remove();
    }
    told.accept(change);
  }

  private static Map<String, String> labels(JsonNode object) {
    Map<String, String> labels = new HashMap<>();
    object
        .at("/metadata/labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return labels;
  }

  /** Who set what, which is a third of each object that a real server tells of. */
  private static ObjectNode fields(JsonNode object) {
    ObjectNode fields = Json.MAPPER.createObjectNode();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      fields.set("f:" + entry.getKey(), fields(entry.getValue()));
    }
    for (int i = 0; object.isArray() && i < object.size(); i++) {
      JsonNode key = object.get(i).path(object.get(i).has("uid") ? "uid" : "name");
      fields.set("k:{\"uid\":\"" + key.asText() + "\"}", fields(object.get(i)));
    }
    return fields;
  }
}
