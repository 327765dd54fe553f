package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.OlderPlaces;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Walk;
import io.orrery.core.text.Nearest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a v1 file that say where trials run, as the {@code trainingService} of v3, for
 * every platform that NNI ever had. Each has its keys in its own package.
 */
final class V1Platforms {
  private static final String AT = "/trainingService";
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private V1Platforms() {}

  /** The section of a platform in v1; null when it has none. */
  static @Nullable OlderSection older(@Nullable String platform) {
    ServiceSection section = ServiceSections.of(platform);
    return section == null ? null : section.older();
  }

  /**
   * Adds the {@code trainingService} of a platform that cannot be had, so that the v3 schema can
   * judge it, and remembers where its keys were written.
   */
  static void unavailable(JsonNode v1, String platform, ObjectNode v3, Walk walk) {
    if (platform.equals("hybrid")) {
      String names = "/hybridConfig/trainingServicePlatforms";
      walk.places().put(AT, names);
      JsonNode several = service(v1, platform);
      v3.set("trainingService", several);
      for (int i = 0; i < several.size(); i++) {
        remember(v1, several.get(i).path("platform").asText(), AT + "/" + i, walk);
        walk.places().put(AT + "/" + i, names + "/" + i);
        walk.places().put(AT + "/" + i + "/platform", names + "/" + i);
      }
    } else if (ServiceSections.checkedEverywhere(platform)) {
      v3.set("trainingService", service(v1, platform));
      remember(v1, platform, AT, walk);
    }
  }

  private static void remember(JsonNode v1, String platform, String at, Walk walk) {
    OlderSection older = older(platform);
    if (older == null) {
      return;
    }
    OlderPlaces keys = new OlderPlaces();
    keys.add(v1, older, at);
    keys.tell(walk.places());
    String section = "/" + older.nameIn(v1);
    for (Map.Entry<String, JsonNode> entry : older.in(v1).properties()) {
      if (Keys.find(entry.getKey(), older.own().keySet()).isEmpty()) {
        walk.here(
            section + "/" + entry.getKey(),
            "'"
                + entry.getKey()
                + "' is not a known key"
                + Nearest.hint(entry.getKey(), older.own().keySet()));
      }
    }
  }

  /** The {@code trainingService}: an object, or a list where several platforms share the trials. */
  static JsonNode service(JsonNode v1, String platform) {
    if (!platform.equals("hybrid")) {
      return one(v1, platform);
    }
    ArrayNode several = MAKE.arrayNode();
    for (JsonNode name : v1.path("hybridConfig").path("trainingServicePlatforms")) {
      several.add(one(v1, ServiceSections.canonical(name.asText())));
    }
    return several;
  }

  private static ObjectNode one(JsonNode v1, String platform) {
    ObjectNode service = MAKE.objectNode().put("platform", platform);
    OlderSection older = older(platform);
    if (older != null) {
      older.convert(v1, service);
    }
    return service;
  }
}
