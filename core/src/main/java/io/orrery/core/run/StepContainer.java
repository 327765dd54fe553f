package io.orrery.core.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The container that a step runs in, as the settings of the training service {@code container}.
 *
 * @param cluster a cluster of the server's configuration that runs containers
 * @param mounts further directories, as a document has them; empty for none
 * @param milliCores the most that it may use; 0 for no limit
 * @param bytes of memory that it may use; 0 for no limit
 */
public record StepContainer(
    String cluster, String image, String mounts, long milliCores, long bytes) {
  /** The name of the training service. */
  public static final String PLATFORM = "container";

  /** Reads settings that {@link #settings} has made. */
  public static StepContainer of(JsonNode settings) {
    return new StepContainer(
        settings.path("cluster").asText(),
        settings.path("image").asText(),
        settings.path("mounts").asText(),
        settings.path("milliCores").asLong(),
        settings.path("bytes").asLong());
  }

  /** The container of a step; null for a program of the machine itself. */
  public static @Nullable StepContainer in(StepSpec step) {
    return step.settings().values().containsKey("image")
        ? of(Json.MAPPER.valueToTree(step.settings()))
        : null;
  }

  /** The settings of the training service. */
  public Parameters settings() {
    return new Parameters(
        Map.of(
            "cluster",
            cluster,
            "image",
            image,
            "mounts",
            mounts,
            "milliCores",
            milliCores,
            "bytes",
            bytes));
  }
}
