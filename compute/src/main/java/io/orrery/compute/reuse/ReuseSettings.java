package io.orrery.compute.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of reuse in the section {@code trainingService}, alike for all platforms that have it.
 */
public final class ReuseSettings {
  /** What runs as an environment, and marks the settings that it is submitted with: no key. */
  public static final String ENVIRONMENT = "environment";

  private static final int IDLE_SECONDS = 120;

  private ReuseSettings() {}

  /** Whether the trials of an experiment share environments. */
  static boolean isWanted(ExperimentSpec spec) {
    return Boolean.TRUE.equals(setting(spec, "reuseMode"));
  }

  /** For how long an environment waits for another trial. */
  public static Duration idle(ExperimentSpec spec) {
    return Duration.ofSeconds(
        setting(spec, "environmentIdle") instanceof Number seconds
            ? seconds.longValue()
            : IDLE_SECONDS);
  }

  /** What an environment of the experiment is submitted with. */
  static ExperimentSpec environment(ExperimentSpec spec) {
    Map<String, Object> settings = new HashMap<>(spec.job().trainingService().settings().values());
    settings.put(ENVIRONMENT, true);
    return spec.withPlatformSettings(new Parameters(settings));
  }

  /** Whether what is submitted so is an environment. */
  public static boolean isEnvironment(ExperimentSpec spec) {
    return Boolean.TRUE.equals(setting(spec, ENVIRONMENT));
  }

  /** Where its trials run: an experiment may do so at several, of one platform or of more. */
  static JsonNode site(ExperimentSpec spec) {
    // What was read back from a file is to be equal to what was not.
    return Json.read(Json.write(spec.job().trainingService()), JsonNode.class);
  }

  private static @Nullable Object setting(ExperimentSpec spec, String key) {
    return spec.job().trainingService().settings().values().get(key);
  }
}
