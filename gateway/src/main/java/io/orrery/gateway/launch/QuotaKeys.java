package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys for what all projects share. */
final class QuotaKeys {
  static final ConfigKey<Map<QuotaResource, Long>> LIMITS =
      new ConfigKey<>(
          "quota.limits",
          Map.of(),
          "amounts by resource, as in quotas of projects: {gpu: 8, cpu: 64, memory: 256G}",
          "What all projects together may use at once. Projects that wait for it get equal shares"
              + " of it (dominant resource fairness). Without it only quotas of projects limit"
              + " them.",
          QuotaKeys::limits);

  static final ConfigKey<Integer> GPU_IDLE =
      ConfigKey.integer(
          "quota.gpuIdleMinutes",
          10,
          0,
          1_440,
          "After how many minutes without use a GPU that is held is called idle.");

  static final ConfigKey<Boolean> PREEMPT =
      ConfigKey.flag(
          "quota.preempt",
          "Whether trials that may be tried again (retry) are ended for experiments of a higher"
              + " priority that wait for quota.limits.");

  static final List<ConfigKey<?>> KEYS = List.of(LIMITS, PREEMPT, GPU_IDLE);

  private QuotaKeys() {}

  /**
   * The settings.
   *
   * @param limits of all projects together
   * @param preempts whether trials are ended for objects of a higher priority
   * @param gpuPatience after which a GPU that is held and not used is idle
   */
  record Settings(Map<QuotaResource, Long> limits, boolean preempts, Duration gpuPatience) {
    static final Settings STANDARD = new Settings(Map.of(), false, Duration.ofMinutes(10));

    Settings {
      limits = Map.copyOf(limits);
    }
  }

  static Settings read(Config config) {
    return new Settings(
        config.get(LIMITS), config.get(PREEMPT), Duration.ofMinutes(config.get(GPU_IDLE)));
  }

  private static Map<QuotaResource, Long> limits(JsonNode value) {
    JsonNode written = value.isTextual() ? Document.read(value.textValue()).root() : value;
    if (!(written instanceof ObjectNode limits) || limits.has("member")) {
      throw new IllegalArgumentException();
    }
    QuotaLimits.Reading reading = QuotaLimits.read(limits, "");
    if (!reading.findings().isEmpty()) {
      throw Problem.Refused.of(reading.findings()).toException();
    }
    return reading.limits().project();
  }
}
