package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.hybrid.HybridSection;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads where trials run, and lets the section inherit NNI's shortcuts from the top level. */
final class TrainingServiceReader {
  private static final String AT = "/trainingService";
  private static final List<String> INHERITED =
      List.of("trialCommand", "trialCodeDirectory", "trialGpuNumber", "debug");

  private final List<String> running;
  private final Map<String, List<Option>> brought;
  private final Walk walk;

  /**
   * @param running the platforms that can be had
   * @param brought the keys of those among them that are not ours
   */
  TrainingServiceReader(List<String> running, Map<String, List<Option>> brought, Walk walk) {
    this.running = running;
    this.brought = brought;
    this.walk = walk;
  }

  /** Whether a v3 form asks for a platform, or several, that cannot be had here. */
  boolean foreign(@Nullable JsonNode service) {
    if (service == null) {
      return false;
    }
    if (isHybrid(service)) {
      return false;
    }
    String meant = meant(platform(service));
    return service.isArray() || (meant != null && schema(meant) == null);
  }

  /** Whether a v3 form asks for several platforms, and they can be had. */
  boolean isHybrid(@Nullable JsonNode service) {
    return service != null
        && running.contains("hybrid")
        && (service.isArray() || "hybrid".equals(meant(platform(service))));
  }

  /**
   * Reads the section and completes both it and the top level.
   *
   * @param root the canonical top level; gets the effective values
   */
  void read(ObjectNode root) {
    JsonNode given = root.path("trainingService");
    if (isHybrid(given)) {
      hybrid(root);
      return;
    }
    if (given.isArray()) {
      walk.refuse(
          AT,
          "asks for several platforms at once; it " + PlatformSchemas.refusal("hybrid", running));
      new UnavailableReader(walk).several(given, AT);
      return;
    }
    if (!given.isObject()) {
      if (!given.isMissingNode()) {
        walk.refuse(AT, "must be an object such as {platform: local}, this is " + Shown.of(given));
      }
      complete(root, JsonNodeFactory.instance.objectNode());
      return;
    }
    String platform = platform(given);
    if (platform == null || schema(platform) == null) {
      refusePlatform(given, platform);
    }
    if (foreign(given)) {
      new UnavailableReader(walk).read(meant(platform), given, AT);
      return;
    }
    String meant = meant(platform);
    Schema schema = schema(meant);
    ObjectNode service =
        schema == null
            ? CommonKeys.SCHEMA.read(shortcuts(given), AT, walk)
            : schema.read(given, AT, walk);
    ServiceSection section = ServiceSections.of(meant);
    if (section != null) {
      section.read(root, service, walk);
    }
    complete(root, service);
    if (section != null) {
      section.complete(root, service, walk);
    }
    if (schema != null) {
      service.put("platform", meant);
      root.set("trainingService", schema.ordered(service));
    }
  }

  /** Where the services differ in what they could have inherited, the first one speaks for all. */
  private void hybrid(ObjectNode root) {
    ObjectNode service =
        new HybridReader(
                walk,
                (single, inside) ->
                    new TrainingServiceReader(running, brought, inside).read(single))
            .read(root);
    JsonNode first = service.path("services").path(0);
    for (String key : INHERITED) {
      JsonNode value = root.has(key) ? root.get(key) : first.get(key);
      if (value != null && !service.has(key)) {
        service.set(key, value);
      }
      if (service.has(key) && !root.has(key)) {
        root.set(key, service.get(key));
      }
    }
    root.set("trainingService", HybridSection.SCHEMA.ordered(service));
  }

  /** A slip of a platform's name counts as the name, so that what belongs to it is read. */
  private @Nullable String meant(@Nullable String platform) {
    return platform == null || running.contains(platform)
        ? platform
        : PlatformSchemas.nearest(platform);
  }

  /** The keys that every platform has: all that can be checked while the platform is unknown. */
  private static ObjectNode shortcuts(JsonNode given) {
    ObjectNode known = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> entry : given.properties()) {
      boolean shortcut = Keys.find(entry.getKey(), CommonKeys.SCHEMA.names()).isPresent();
      if (shortcut && !Keys.same(entry.getKey(), "platform")) {
        known.set(entry.getKey(), entry.getValue());
      }
    }
    return known;
  }

  private void refusePlatform(JsonNode given, @Nullable String platform) {
    spelled(given);
    String offer = "; this version runs trials on: " + String.join(", ", running);
    if (platform != null) {
      walk.refuse(AT + "/platform", PlatformSchemas.refusal(platform, running));
    } else if (Keys.present(given, "platform")) {
      walk.refuse(AT + "/platform", "must be the name of a platform" + offer);
    } else {
      walk.refuse(AT + "/platform", "is missing" + offer);
    }
  }

  private void spelled(JsonNode given) {
    Keys.find("platform", given.properties().stream().map(e -> e.getKey()).toList())
        .filter(key -> !key.equals("platform"))
        .ifPresent(
            key -> walk.places().put(AT + "/platform", walk.places().written(AT) + "/" + key));
  }

  private void complete(ObjectNode root, ObjectNode service) {
    for (String key : INHERITED) {
      if (!service.has(key) && root.has(key)) {
        service.set(key, root.get(key));
      } else if (service.has(key) && !root.has(key)) {
        root.set(key, service.get(key));
      }
    }
    if (!service.has("trialCommand") && !walk.excused("/trialCommand")) {
      walk.refuse("/trialCommand", "is missing: the shell command of a trial");
    }
    if (!root.has("trialCodeDirectory") && !walk.excused("/trialCodeDirectory")) {
      JsonNode here =
          new ValueType.Directory(true).read(TextNode.valueOf("."), "/trialCodeDirectory", walk);
      root.set("trialCodeDirectory", here);
      service.set("trialCodeDirectory", here);
    }
  }

  private @Nullable Schema schema(@Nullable String platform) {
    if (platform == null || !running.contains(platform)) {
      return null;
    }
    return PlatformSchemas.of(platform, brought.getOrDefault(platform, List.of()));
  }

  private static @Nullable String platform(JsonNode service) {
    return service.properties().stream()
        .filter(entry -> Keys.same(entry.getKey(), "platform") && entry.getValue().isTextual())
        .map(entry -> ServiceSections.canonical(entry.getValue().textValue()))
        .findFirst()
        .orElse(null);
  }
}
