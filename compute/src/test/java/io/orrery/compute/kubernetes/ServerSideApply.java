package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.http.MockResponse;
import io.orrery.compute.kubernetes.FieldOwners.Manager;
import io.orrery.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server-side apply, as Kubernetes 1.36 answers it: 422 without a field manager, 409 for a stale
 * version and for fields that other managers own with other values unless it is forced, 500 for a
 * field that the type does not have. A field that its manager applies no more goes, unless another
 * manager owns it. Pure.
 */
final class ServerSideApply {
  private static final Set<String> FIELDS =
      Set.of("apiVersion", "kind", "metadata", "spec", "data", "stringData", "type", "immutable");

  private static final List<String> REPLICAS = List.of("f:spec", "f:replicas");

  private final Map<String, String> parameters;
  private final JsonNode applied;
  private final @Nullable JsonNode present;
  private final Manager manager;

  /**
   * @param query of the request
   * @param present null where there is none yet
   */
  ServerSideApply(@Nullable String query, JsonNode applied, @Nullable JsonNode present) {
    this.parameters = parameters(query);
    this.applied = applied;
    this.present = present;
    this.manager =
        new Manager(
            parameters.getOrDefault("fieldManager", ""),
            "Apply",
            null,
            applied.path("apiVersion").asText());
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&")) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    return parameters;
  }

  /** The refusal; null when it is done. */
  @Nullable MockResponse refusal() {
    if (manager.name().isEmpty()) {
      return MockCluster.status(
          422,
          "Invalid",
          "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for"
              + " apply patch");
    }
    String name = applied.at("/metadata/name").asText();
    String kind = applied.path("kind").asText();
    for (Map.Entry<String, JsonNode> field : applied.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        return MockCluster.status(
            500,
            "",
            "failed to create typed patch object (%s/%s; %s, Kind=%s): .%s: field not declared in schema"
                .formatted(
                    applied.at("/metadata/namespace").asText(),
                    name,
                    manager.apiVersion(),
                    kind,
                    field.getKey()));
      }
    }
    if (present == null) {
      return null;
    }
    String version = applied.at("/metadata/resourceVersion").asText();
    if (!version.isEmpty() && !version.equals(present.at("/metadata/resourceVersion").asText())) {
      String group = manager.apiVersion().replaceFirst("/.*|^[^/]*$", "");
      return MockCluster.status(
          409,
          "Conflict",
          ("Operation cannot be fulfilled on %ss%s \"%s\": the object has been modified; please"
                  + " apply your changes to the latest version and try again")
              .formatted(kind.toLowerCase(Locale.ROOT), group.isEmpty() ? "" : "." + group, name));
    }
    List<Conflict> conflicts = conflicts();
    return conflicts.isEmpty() || isForced() ? null : refusal(conflicts);
  }

  private boolean isForced() {
    return "true".equals(parameters.get("force"));
  }

  private record Conflict(Manager owner, List<String> field) {}

  private List<Conflict> conflicts() {
    List<Conflict> conflicts = new ArrayList<>();
    if (present != null) {
      FieldOwners owners = FieldOwners.of(present);
      FieldOwners.leaves(applied)
          .forEach((field, value) -> {
            JsonNode now = FieldOwners.value(present, field);
            if (now != null && !now.equals(value)) {
              owners.others(field, manager).forEach(o -> conflicts.add(new Conflict(o, field)));
            }
          });
    }
    return conflicts;
  }

  private static MockResponse refusal(List<Conflict> conflicts) {
    ObjectNode status = Json.MAPPER.createObjectNode();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure").put("code", 409);
    status.put("reason", "Conflict");
    Map<Manager, List<Conflict>> byOwner =
        conflicts.stream()
            .collect(
                Collectors.groupingBy(Conflict::owner, LinkedHashMap::new, Collectors.toList()));
    List<String> words = new ArrayList<>();
    byOwner.forEach((owner, all) ->
        words.add(
            all.size() == 1
                ? "conflict with "
                    + owner.words()
                    + ": "
                    + FieldOwners.words(all.getFirst().field())
                : "conflicts with "
                    + owner.words()
                    + ":"
                    + all.stream()
                        .map(each -> "\n- " + FieldOwners.words(each.field()))
                        .collect(Collectors.joining())));
    int count = conflicts.size();
    status.put(
        "message",
        "Apply failed with %d conflict%s: %s"
            .formatted(count, count == 1 ? "" : "s", String.join("\n", words)));
    ArrayNode causes = status.putObject("details").putArray("causes");
    conflicts.forEach(each ->
        causes
            .addObject()
            .put("reason", "FieldManagerConflict")
            .put("message", "conflict with " + each.owner().words())
            .put("field", FieldOwners.words(each.field())));
    return MockApi.answer(409, status);
  }

  /** The object that it makes; equal to the present one where nothing changes. */
  ObjectNode merged() {
    Map<List<String>, JsonNode> leaves = FieldOwners.leaves(applied);
    ObjectNode object = (present == null ? applied : present).deepCopy();
    FieldOwners owners = FieldOwners.of(object);
    for (Conflict conflict : conflicts()) {
      owners.take(conflict.owner(), conflict.field());
    }
    for (List<String> field : owners.of(manager)) {
      if (!leaves.containsKey(field) && owners.others(field, manager).isEmpty()) {
        FieldOwners.put(object, field, fallback(field));
      }
    }
    leaves.forEach((field, value) -> {
      if (!value.equals(FieldOwners.value(object, field))) {
        FieldOwners.put(object, field, value);
      }
    });
    owners.set(manager, leaves.keySet());
    owners.writeTo(object);
    return object;
  }

  /** The default of a field that no manager sets; null for none. */
  private @Nullable JsonNode fallback(List<String> field) {
    return manager.apiVersion().startsWith("apps/") && field.equals(REPLICAS)
        ? IntNode.valueOf(1)
        : null;
  }

  /** The object after an update of its scale, whose manager owns the replicas from then on. */
  static ObjectNode scaled(JsonNode object, String query, int replicas) {
    ObjectNode scaled = object.deepCopy();
    Manager scaler =
        new Manager(
            parameters(query).getOrDefault("fieldManager", "unknown"),
            "Update",
            "scale",
            object.path("apiVersion").asText());
    FieldOwners owners = FieldOwners.of(scaled);
    owners.others(REPLICAS, scaler).forEach(other -> owners.take(other, REPLICAS));
    owners.set(scaler, Set.of(REPLICAS));
    owners.writeTo(scaled);
    FieldOwners.put(scaled, REPLICAS, IntNode.valueOf(replicas));
    return scaled;
  }
}
