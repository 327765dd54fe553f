package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.catalog.ServiceSections;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The platform settings that older NNI clients send, and the v1 configuration that follows from
 * them.
 */
final class ClusterMetadata {
  /** The section of a v1 file that each key is. */
  private static final Map<String, String> SECTIONS = sections();

  private final ObjectNode sections = JsonNodeFactory.instance.objectNode();

  private static Map<String, String> sections() {
    Map<String, String> sections = new HashMap<>();
    for (ServiceSection section : ServiceSections.all()) {
      OlderSection older = section.older();
      if (older != null) {
        older.topLevel().forEach(name -> sections.put(words(name), name));
      }
    }
    sections.put("hybrid_config", "hybridConfig");
    sections.put("trial_config", "trial");
    sections.put("nni_manager_ip", "nniManagerIp");
    sections.put("version_check", "versionCheck");
    sections.put("log_collection", "logCollection");
    sections.put("multiPhase", "multiPhase");
    sections.put("shared_storage_config", "sharedStorage");
    return Map.copyOf(sections);
  }

  /** {@code machine_list} for {@code machineList}. */
  private static String words(String name) {
    return name.replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  /** Takes pieces; a later one replaces an earlier one of its key. All of them, or none. */
  void put(ObjectNode pieces) {
    pieces.fieldNames().forEachRemaining(ClusterMetadata::check);
    pieces.properties().forEach(piece -> put(piece.getKey(), piece.getValue()));
  }

  private static void check(String key) {
    if (!SECTIONS.containsKey(key)) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "'"
                      + key
                      + "' is no key of cluster-metadata"
                      + Nearest.hint(key, SECTIONS.keySet())))
          .toException();
    }
  }

  private void put(String key, JsonNode value) {
    // The address stands in an object of its own.
    sections.set(SECTIONS.get(key), value.has("nniManagerIp") ? value.get("nniManagerIp") : value);
  }

  /**
   * The v1 configuration: as it was posted, with these sections. Here {@code maxExecDuration} is
   * seconds and {@code searchSpace} JSON text, and where to run may stand in it once more.
   */
  ObjectNode with(ObjectNode posted) {
    ObjectNode config = posted.deepCopy();
    JsonNode again = config.remove("clusterMetaData");
    for (JsonNode piece : again == null ? List.<JsonNode>of() : again) {
      String key = piece.path("key").asText();
      if (List.of("codeDir", "command").contains(key)) {
        config.withObjectProperty("trial").set(key, piece.path("value"));
      } else if (SECTIONS.containsKey(key)) {
        config.set(SECTIONS.get(key), piece.path("value"));
      }
    }
    config.setAll(sections);
    for (String key : List.of("maxExecDuration", "maxTrialDuration")) {
      if (config.path(key).isNumber()) {
        config.put(key, config.get(key).asText() + "s");
      }
    }
    if (config.path("searchSpace").isTextual()) {
      config.set("searchSpace", Json.parse(config.get("searchSpace").textValue()));
    }
    return config;
  }
}
