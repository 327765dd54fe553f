package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.OlderPlaces;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.json.Pointer;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.OlderKeys;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.Walk;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates a v1 file into v3 form, key by key after the table of {@link V1Keys}, and records for
 * each v3 key where it stood, so that whatever is found wrong later is told in v1's own terms.
 * Values are not looked at here except where v1 is stricter than v3.
 */
final class NniV1 {
  /** The largest trialConcurrency and maxTrialNum of v1's schema. */
  private static final int MOST = 99_999;

  private final Walk walk;
  private final boolean otherPlatform;
  private final ObjectNode v3 = JsonNodeFactory.instance.objectNode();
  private final List<String> dropped = new ArrayList<>();
  private final @Nullable String platform;

  private NniV1(Walk walk, boolean otherPlatform, @Nullable String platform) {
    this.walk = walk;
    this.platform = platform;
    this.otherPlatform = otherPlatform;
  }

  /**
   * @param otherPlatform whether the platform cannot be had, so that its own keys go unread
   */
  static ObjectNode translate(JsonNode v1, boolean otherPlatform, Walk walk) {
    NniV1 translation = new NniV1(walk, otherPlatform, platform(v1));
    translation.root(v1);
    if (otherPlatform && translation.platform != null) {
      V1Platforms.unavailable(v1, translation.platform, translation.v3, walk);
    }
    return translation.v3;
  }

  /** The v3 section that a v1 file's platform makes, or null when it names none. */
  static @Nullable JsonNode service(JsonNode v1) {
    for (Map.Entry<String, JsonNode> entry : v1.properties()) {
      if (Keys.same(entry.getKey(), "trainingServicePlatform")) {
        return JsonNodeFactory.instance.objectNode().set("platform", entry.getValue());
      }
    }
    return null;
  }

  private static @Nullable String platform(JsonNode v1) {
    JsonNode service = service(v1);
    JsonNode named = service == null ? null : service.get("platform");
    return named != null && named.isTextual() ? ServiceSections.canonical(named.textValue()) : null;
  }

  private void root(JsonNode v1) {
    walk.places().put("/trainingService", "/trainingServicePlatform");
    OlderPlaces keysOfPlatform = new OlderPlaces();
    if (platform != null && !otherPlatform) {
      keysOfPlatform.add(v1, V1Platforms.older(platform), "/trainingService");
    }
    walk.isOlder(keysOfPlatform);
    V1Keys.moves("trial").forEach((key, to) -> walk.places().put(to, "/trial/" + key));
    V1Keys.moves("").forEach((key, to) -> walk.places().put(to, "/" + key));
    walk.places().put("/searchSpace", "/searchSpacePath");
    ObjectNode keys = take(v1, "");
    V1Keys.DROPPED.stream().filter(keys::has).forEach(dropped::add);
    limit("/trialConcurrency", keys.path("trialConcurrency"));
    limit("/maxTrialNumber", keys.path("maxTrialNum"));
    if (keys.has("advisor") && keys.has("assessor")) {
      walk.say("/assessor", "assessor and advisor exclude each other: an advisor assesses itself");
    }
    sections(keys);
    // Only NNI's own algorithms needed one, and not all of them.
    boolean none = !v3.has("searchSpace") && !v3.has("searchSpaceFile");
    if (none && !v3.path("useAnnotation").asBoolean() && SpaceSource.isForeign(v3)) {
      v3.putObject("searchSpace");
    }
    OlderSection older = V1Platforms.older(platform);
    if (older != null) {
      older.adapt(v3, walk);
    }
    if (!dropped.isEmpty()) {
      walk.notice("Keys of NNI v1 that have no effect: " + String.join(", ", dropped) + ".");
    }
  }

  private void sections(ObjectNode keys) {
    for (String section : V1Keys.SECTIONS) {
      JsonNode json = keys.get(section);
      if (json == null) {
        continue;
      }
      if (section.equals("localConfig") && runsElsewhere()) {
        walk.notice("localConfig has no effect: trials run on " + platform + ".");
        continue;
      }
      if (!json.isObject()) {
        walk.say("/" + section, section + " must be an object, this is " + Shown.of(json));
        V1Keys.moves(section).values().forEach(walk::excuse);
        continue;
      }
      ObjectNode values = take(json, section);
      V1Keys.inert(section).stream()
          .filter(values::has)
          .forEach(key -> dropped.add(section + "." + key));
      if (V1Keys.ALGORITHMS.contains(section)) {
        algorithm(section, values);
      }
    }
  }

  private boolean runsElsewhere() {
    return platform != null
        && !List.of("local", "hybrid").contains(platform)
        && PlatformSchemas.NAMES.contains(platform);
  }

  /** The known keys of a section by their own names; what moves has been moved. */
  private ObjectNode take(JsonNode json, String section) {
    String pointer = section.isEmpty() ? "" : walk.places().written("/" + section);
    Map<String, String> moves = V1Keys.moves(section);
    if (!section.isEmpty()) {
      moves.forEach((key, to) -> walk.places().put(to, Pointer.child(pointer, key)));
    }
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    OlderSection older = otherPlatform ? null : V1Platforms.older(platform);
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      String own = Pointer.child(pointer, entry.getKey());
      Optional<String> known = Keys.find(entry.getKey(), V1Keys.known(section));
      if (known.isEmpty()) {
        boolean taken =
            older != null && older.take(section, entry.getKey(), entry.getValue(), own, v3, walk);
        if (!taken) {
          unknown(entry.getKey(), section, own);
        }
        continue;
      }
      String key = known.get();
      if (entry.getValue().isNull()) {
        continue;
      }
      if (values.has(key)) {
        walk.here(own, "'" + entry.getKey() + "' is the same key as another one here");
        continue;
      }
      values.set(key, entry.getValue());
      String to = moves.get(key);
      walk.places().put(to != null ? to : section.isEmpty() ? "/" + key : own, own);
      if (to != null) {
        put(to, entry.getValue());
      }
    }
    return values;
  }

  private void put(String pointer, JsonNode value) {
    String[] steps = pointer.substring(1).split("/", -1);
    ObjectNode parent = steps.length == 1 ? v3 : v3.withObjectProperty(steps[0]);
    parent.set(steps[steps.length - 1], value);
  }

  private void limit(String pointer, JsonNode value) {
    if (value.isIntegralNumber() && value.doubleValue() > MOST) {
      walk.refuse(pointer, "must be at most " + MOST + ", this is " + Shown.of(value));
    }
  }

  /** v1 names a class by file and class, v3 by module and class. */
  private void algorithm(String kind, ObjectNode values) {
    v3.withObjectProperty(kind);
    List<String> parts = List.of("codeDir", "classFileName", "className");
    if (parts.stream().noneMatch(values::has)) {
      return;
    }
    String at = walk.places().written("/" + kind);
    boolean whole = true;
    for (String part : parts) {
      JsonNode value = values.get(part);
      if (value == null) {
        walk.here(
            Pointer.child(at, part),
            part
                + " is missing: an algorithm of your own has codeDir, classFileName and className");
        whole = false;
      } else if (!part.equals("codeDir") && !value.isTextual()) {
        walk.here(Pointer.child(at, part), part + " must be text, this is " + Shown.of(value));
        whole = false;
      }
    }
    ObjectNode section = v3.withObjectProperty(kind);
    if (!whole) {
      section.remove(List.of("className", "codeDirectory"));
      walk.excuse("/" + kind + "/name");
      return;
    }
    String module =
        values.path("classFileName").asText().replaceFirst("\\.py$", "").replace('/', '.');
    section.set("className", TextNode.valueOf(module + "." + values.path("className").asText()));
  }

  private void unknown(String key, String section, String own) {
    if (otherPlatform && (section.equals("trial") || V1Keys.otherPlatforms().contains(key))) {
      return;
    }
    walk.here(own, "'" + key + "' is not a known key" + advice(key, section));
  }

  private String advice(String key, String section) {
    if (section.isEmpty() && Keys.find(key, V1Keys.otherPlatforms()).isPresent()) {
      return " of the "
          + (platform == null ? "local" : platform)
          + " platform: it belongs to another one";
    }
    List<String> sections = new ArrayList<>(V1Keys.SECTIONS);
    sections.addFirst("");
    for (String candidate : sections) {
      for (Map.Entry<String, String> move : V1Keys.moves(candidate).entrySet()) {
        String to = move.getValue();
        boolean same =
            Keys.same(to, (section.isEmpty() ? "" : "/" + section) + "/" + key)
                || (candidate.equals(section) && Keys.same(to, "/" + key));
        if (same) {
          walk.excuse(to);
          return ": in v1 form it is "
              + (candidate.isEmpty() ? "" : candidate + ".")
              + move.getKey();
        }
      }
    }
    if (Keys.same(key, "trainingService")) {
      walk.excuse("/trainingService");
      return ": in v1 form it is trainingServicePlatform";
    }
    List<String> known = known(section);
    Optional<String> near = Nearest.to(key, known);
    near.ifPresent(meant -> excuse(meant, section));
    return near.map(k -> " (did you mean '" + k + "'?)")
        .orElse("; the keys here are " + String.join(", ", known));
  }

  /** The keys that NNI's first version takes in a section, for any platform and for this one. */
  private List<String> known(String section) {
    Set<String> known = new LinkedHashSet<>(V1Keys.known(section));
    OlderKeys older = walk.older();
    if (older != null && !section.isEmpty()) {
      known.addAll(older.keys("/" + section));
    }
    return List.copyOf(known);
  }

  private void excuse(String meant, String section) {
    OlderKeys older = walk.older();
    if (older != null) {
      older.canonical("/" + section, meant).ifPresent(walk::excuse);
    }
    if (section.isEmpty() && V1Keys.SECTIONS.contains(meant)) {
      V1Keys.moves(meant).values().forEach(walk::excuse);
    }
    String to = V1Keys.moves(section).get(meant);
    if (to != null) {
      walk.excuse(to);
      walk.excuse(to.replaceFirst("/platform$", ""));
    }
  }
}
