package io.orrery.compute.reuse;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.JobSpec;
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
  static boolean isWanted(JobSpec job) {
    return Boolean.TRUE.equals(setting(job, "reuseMode"));
  }

  /** For how long an environment waits for another trial. */
  public static Duration idle(JobSpec job) {
    return Duration.ofSeconds(
        setting(job, "environmentIdle") instanceof Number seconds
            ? seconds.longValue()
            : IDLE_SECONDS);
  }

  /** What an environment of the experiment is submitted with. */
  static JobSpec environment(JobSpec job) {
    Map<String, Object> settings = new HashMap<>(job.trainingService().settings().values());
    settings.put(ENVIRONMENT, true);
    return job.withPlatformSettings(new Parameters(settings));
  }

  /** Whether what is submitted so is an environment. */
  public static boolean isEnvironment(JobSpec job) {
    return Boolean.TRUE.equals(setting(job, ENVIRONMENT));
  }

  /** Where its trials run: an experiment may do so at several, of one platform or of more. */
  static JsonNode site(JobSpec job) {
    // What was read back from a file is to be equal to what was not.
    return Json.read(Json.write(job.trainingService()), JsonNode.class);
  }

  private static @Nullable Object setting(JobSpec job, String key) {
    return job.trainingService().settings().values().get(key);
  }
}
