package io.orrery.gateway.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of NNI's index of experiments. Times are milliseconds since the epoch.
 *
 * @param port where its clients find it
 * @param prefix of its paths at that port; null when they need none
 * @param pid the process whose end is the end of the experiment, 0 when it has none
 * @param logDir the directory that holds the experiment's folder, which is named by its id
 */
record IndexEntry(
    Experiment experiment, int port, @Nullable String prefix, long pid, String logDir) {
  ObjectNode json() {
    String id = experiment.id().value();
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", id)
            .put("port", port)
            .put(
                "startTime",
                Objects.requireNonNullElse(experiment.startedAt(), experiment.createdAt())
                    .toEpochMilli());
    if (experiment.endedAt() == null) {
      json.put("endTime", "N/A");
    } else {
      json.put("endTime", experiment.endedAt().toEpochMilli());
    }
    json.put("status", NniStatus.of(experiment.status()))
        .put("platform", experiment.spec().job().trainingService().platform())
        .put("experimentName", experiment.spec().description().name());
    json.putArray("tag");
    if (pid == 0) {
      json.putNull("pid");
    } else {
      json.put("pid", pid);
    }
    json.putArray("webuiUrl").add("http://127.0.0.1:" + port);
    return json.put("logDir", logDir).put("prefixUrl", prefix);
  }
}
