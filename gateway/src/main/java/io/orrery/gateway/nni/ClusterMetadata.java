package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.List;
import java.util.Map;

/**
 * The platform settings that older NNI clients send, and the v1 configuration that follows from
 * them.
 */
final class ClusterMetadata {
  /** The section of a v1 file that each key is. */
  private static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("machine_list", "machineList"),
          Map.entry("local_config", "localConfig"),
          Map.entry("remote_config", "remoteConfig"),
          Map.entry("pai_config", "paiConfig"),
          Map.entry("kubeflow_config", "kubeflowConfig"),
          Map.entry("frameworkcontroller_config", "frameworkcontrollerConfig"),
          Map.entry("aml_config", "amlConfig"),
          Map.entry("adl_config", "adlConfig"),
          Map.entry("dlts_config", "dltsConfig"),
          Map.entry("hybrid_config", "hybridConfig"),
          Map.entry("trial_config", "trial"),
          Map.entry("nni_manager_ip", "nniManagerIp"),
          Map.entry("version_check", "versionCheck"),
          Map.entry("log_collection", "logCollection"),
          Map.entry("multiPhase", "multiPhase"),
          Map.entry("shared_storage_config", "sharedStorage"));

  private final ObjectNode sections = JsonNodeFactory.instance.objectNode();

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
