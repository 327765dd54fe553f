package io.orrery.orchestrator.spec;

import io.orrery.compute.local.LocalSection;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.OlderKeys;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Walk;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says what an unknown key was probably meant to be: a v1 key, a slip, or a key of another place.
 */
final class UnknownKey {
  private static final Map<String, Schema> SECTIONS =
      Map.of(
          "", ExperimentSchema.ROOT,
          "/tuner", AlgorithmSchema.SCHEMA,
          "/trainingService", LocalSection.SCHEMA,
          "/sharedStorage", SharedStorageSchema.SCHEMA,
          "/retry", ExperimentSchema.RETRY);

  private UnknownKey() {}

  /** As {@link io.orrery.core.schema.UnknownKeys} has it. */
  static String advice(String key, String own, String section, Schema schema, Walk walk) {
    OlderKeys older = walk.older();
    String parent = own.substring(0, own.lastIndexOf('/'));
    if (older != null && !older.keys(parent).isEmpty()) {
      return older.advice(parent, key, walk);
    }
    List<String> newer = older == null ? V1Keys.newer(key, section) : List.of();
    if (!newer.isEmpty()) {
      newer.forEach(walk::excuse);
      return ": in v3 form it is " + Pointer.dotted(newer.getFirst());
    }
    Optional<String> elsewhere = elsewhere(key, section);
    if (elsewhere.isPresent()) {
      return elsewhere.get();
    }
    Optional<String> near = Nearest.to(key, schema.names());
    near.ifPresent(name -> walk.excuse(Pointer.child(section, name)));
    return near.map(name -> " (did you mean '" + name + "'?)")
        .orElse("; the keys here are " + String.join(", ", schema.names()));
  }

  private static Optional<String> elsewhere(String key, String section) {
    return SECTIONS.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(section))
        .filter(entry -> Keys.find(key, entry.getValue().names()).isPresent())
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .map(home -> home.isEmpty() ? "the top level" : Pointer.dotted(home))
        .map(home -> ": it belongs into " + home);
  }
}
