package io.orrery.compute.section;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.OlderKeys;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.Walk;
import io.orrery.core.text.Nearest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a v1 file may have for its platform, section by section, each with the canonical
 * pointer of what it became. Findings made on the canonical form name these keys, also those that
 * the file lacks.
 */
public final class OlderPlaces implements OlderKeys {
  private static final Map<String, String> SHORTCUTS =
      Map.of(
          "command", "trialCommand",
          "codeDir", "trialCodeDirectory",
          "gpuNum", "trialGpuNumber");

  private static final String TRIAL = "/trial";

  /** The author's pointer of a section, its keys, and the canonical pointer of each. */
  private final Map<String, Map<String, String>> sections = new LinkedHashMap<>();

  /**
   * Adds the keys of a training service.
   *
   * @param at canonical pointer of the service's section
   * @param older the service in NNI's first version; null when that has none
   */
  public void add(JsonNode v1, @Nullable OlderSection older, String at) {
    SHORTCUTS.forEach((key, newer) -> put(TRIAL, key, at + "/" + newer));
    if (older != null) {
      older.places(v1, at, this);
    }
  }

  /** Adds a key of a section, or of an object within it: {@code nfs/server}. */
  public void nested(String section, String path, String canonical) {
    int slash = path.indexOf('/');
    if (slash < 0) {
      put(section, path, canonical);
      return;
    }
    String inner = path.substring(0, slash);
    put(section, inner, canonical.substring(0, canonical.lastIndexOf('/')));
    put(section + "/" + inner, path.substring(slash + 1), canonical);
  }

  /** Adds the keys of each element of a list of the parent. */
  public void elements(JsonNode parent, String own, Map<String, String> keys, String canonical) {
    JsonNode list = parent.path(own.substring(own.lastIndexOf('/') + 1));
    for (int i = 0; i < list.size(); i++) {
      put(Pointer.child(own, i), keys, Pointer.child(canonical, i));
    }
  }

  /** Adds the keys of a table, which stand below a canonical pointer in v3. */
  public void put(String section, Map<String, String> keys, String at) {
    keys.forEach((older, newer) -> put(section, older, at + "/" + newer));
  }

  /** Adds one key. */
  public void put(String section, String key, String canonical) {
    sections.computeIfAbsent(section, s -> new LinkedHashMap<>()).put(key, canonical);
  }

  /** Says where each key stands; of two keys with one meaning that of {@code trial} is named. */
  @Override
  public void tell(Places places) {
    sections.forEach((section, keys) -> tell(section, keys, places));
    tell(TRIAL, sections.getOrDefault(TRIAL, Map.of()), places);
  }

  private static void tell(String section, Map<String, String> keys, Places places) {
    keys.forEach((key, canonical) -> {
      if (!key.contains("/") && !isSection(canonical)) {
        places.put(canonical, Pointer.child(section, key));
      }
    });
  }

  /** Several v1 sections became one: none of them is the place of it. */
  private static boolean isSection(String canonical) {
    return canonical.endsWith("/storage");
  }

  /** The keys of a section by the author's pointer of it; empty when it has none of its own. */
  @Override
  public Collection<String> keys(String section) {
    return sections.getOrDefault(section, Map.of()).keySet();
  }

  /** The canonical pointer of a key; empty when the section has no such key. */
  @Override
  public Optional<String> canonical(String section, String key) {
    Map<String, String> keys = sections.getOrDefault(section, Map.of());
    return Keys.find(key, keys.keySet()).map(keys::get);
  }

  /**
   * Suggests the key that an unknown one was probably meant to be, as the end of a sentence. The
   * key that is suggested is not missed any more.
   */
  @Override
  public String advice(String section, String key, Walk walk) {
    for (String other : sections.keySet()) {
      Optional<String> there = canonical(other, key);
      if (there.isPresent()) {
        walk.excuse(there.get());
        return ": it belongs into " + Pointer.dotted(other);
      }
    }
    Optional<String> near = Nearest.to(key, keys(section));
    near.flatMap(meant -> canonical(section, meant)).ifPresent(walk::excuse);
    return near.map(meant -> " (did you mean '" + meant + "'?)")
        .orElse("; the keys here are " + String.join(", ", keys(section)));
  }
}
