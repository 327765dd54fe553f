package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import org.jspecify.annotations.Nullable;

/** The keys that all platforms on Kubernetes share, out of a validated configuration. */
public final class ClusterSettings {
  private final JsonNode settings;

  private ClusterSettings(JsonNode settings) {
    this.settings = settings;
  }

  public static ClusterSettings of(ExperimentSpec spec) {
    return new ClusterSettings(Json.MAPPER.valueToTree(spec.trainingService().settings().values()));
  }

  public ClusterAddress cluster() {
    return new ClusterAddress(text("kubeconfig"), text("context"), text("namespace"));
  }

  /** What every pod gets, by strategic merge; empty for none. */
  public ObjectNode podTemplate() {
    return settings.path("podTemplate") instanceof ObjectNode template
        ? template
        : Json.MAPPER.createObjectNode();
  }

  /** Seconds that an ended job stays. */
  public long keep() {
    return settings.path("ttlSecondsAfterFinished").asLong();
  }

  public @Nullable String text(String key) {
    return settings.path(key).textValue();
  }

  /** A section, or nothing that has no keys. */
  public JsonNode section(String key) {
    return settings.path(key);
  }

  /**
   * A role out of its section.
   *
   * @param name as the keeper is to know it
   * @param pods how many there are
   * @param spec gives what the section leaves open
   */
  public static Role role(String name, int pods, JsonNode section, ExperimentSpec spec) {
    JsonNode command =
        section.has("command") ? section.path("command") : section.path("trialCommand");
    return new Role(
        name,
        pods,
        command.isTextual() ? command.textValue() : spec.trialCommand(),
        section.path("codeDirectory").asText(spec.trialCodeDirectory()),
        section.path("dockerImage").asText(),
        section.has("cpuNumber") ? section.path("cpuNumber").doubleValue() : null,
        section.has("memorySize") ? section.path("memorySize").longValue() : null,
        section.has("gpuNumber")
            ? Integer.valueOf(section.path("gpuNumber").intValue())
            : spec.trialGpuNumber(),
        section.path("privateRegistryAuthPath").textValue());
  }

  /** The whole section, as {@link #role} reads it. */
  public JsonNode all() {
    return settings;
  }
}
