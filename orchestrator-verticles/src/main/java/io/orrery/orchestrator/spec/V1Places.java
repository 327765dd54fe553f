package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Keys;
import io.orrery.core.schema.OlderKeys;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.Walk;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.text.Nearest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that a v1 file may have for its platform, section by section, each with the canonical
 * pointer of what it became. Findings made on the canonical form name these keys, also those that
 * the file lacks.
 */
final class V1Places implements OlderKeys {
  private static final Map<String, String> SHORTCUTS =
      Map.of(
          "command", "trialCommand",
          "codeDir", "trialCodeDirectory",
          "gpuNum", "trialGpuNumber");

  private static final String TRIAL = "/trial";

  /** The author's pointer of a section, its keys, and the canonical pointer of each. */
  private final Map<String, Map<String, String>> sections = new LinkedHashMap<>();

  /**
   * Adds the keys of a platform.
   *
   * @param at canonical pointer of the platform's section
   */
  void add(JsonNode v1, String platform, String at) {
    SHORTCUTS.forEach((older, newer) -> put(TRIAL, older, at + "/" + newer));
    V1Platforms.Tables tables = V1Platforms.tablesOrNull(platform);
    if (tables == null) {
      return;
    }
    String section = "/" + tables.nameIn(v1);
    put(section, tables.own(), at);
    put(TRIAL, tables.trial(), at);
    if (platform.equals("remote")) {
      elements(v1, "/machineList", V1Platforms.MACHINE, at + "/machineList");
    }
    if (!V1Cluster.ROLES.getOrDefault(platform, List.of()).isEmpty()) {
      V1Cluster.CONFIG.forEach((path, to) -> nested(section, path, at + to));
      for (String role : V1Cluster.ROLES.getOrDefault(platform, List.of())) {
        put(TRIAL, role, at + "/" + role);
        if (role.equals("taskRoles")) {
          elements(v1.path("trial"), TRIAL + "/" + role, V1Platforms.ROLE, at + "/" + role);
        } else {
          put(TRIAL + "/" + role, V1Platforms.ROLE, at + "/" + role);
        }
      }
    }
  }

  private void nested(String section, String path, String canonical) {
    int slash = path.indexOf('/');
    if (slash < 0) {
      put(section, path, canonical);
      return;
    }
    String inner = path.substring(0, slash);
    put(section, inner, canonical.substring(0, canonical.lastIndexOf('/')));
    put(section + "/" + inner, path.substring(slash + 1), canonical);
  }

  private void elements(JsonNode parent, String own, Map<String, String> keys, String canonical) {
    JsonNode list = parent.path(own.substring(own.lastIndexOf('/') + 1));
    for (int i = 0; i < list.size(); i++) {
      put(Pointer.child(own, i), keys, Pointer.child(canonical, i));
    }
  }

  private void put(String section, Map<String, String> keys, String at) {
    keys.forEach((older, newer) -> put(section, older, at + "/" + newer));
  }

  private void put(String section, String key, String canonical) {
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
        return ": it belongs into " + UnknownKey.path(other);
      }
    }
    Optional<String> near = Nearest.to(key, keys(section));
    near.flatMap(meant -> canonical(section, meant)).ifPresent(walk::excuse);
    return near.map(meant -> " (did you mean '" + meant + "'?)")
        .orElse("; the keys here are " + String.join(", ", keys(section)));
  }
}
