package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.json.Json;
import java.util.Map;

/** The JSON of experiments and runs as MLflow has it. */
final class MlflowShape {
  static final String SCHEME = "mlflow-artifacts:/";

  private MlflowShape() {}

  static ObjectNode object() {
    return Json.MAPPER.createObjectNode();
  }

  static ObjectNode of(TrackedExperiment experiment) {
    ObjectNode shape =
        object()
            .put("experiment_id", experiment.id())
            .put("name", experiment.name())
            .put("artifact_location", SCHEME + experiment.id())
            .put("lifecycle_stage", lifecycle(experiment.deleted()))
            .put("creation_time", experiment.createdAt().toEpochMilli())
            .put("last_update_time", experiment.changedAt().toEpochMilli());
    pairs(shape.putArray("tags"), experiment.tags());
    return shape;
  }

  private static String lifecycle(boolean deleted) {
    return deleted ? "deleted" : "active";
  }

  static ObjectNode of(RunInfo run) {
    ObjectNode shape =
        object()
            .put("run_id", run.id())
            .put("run_uuid", run.id())
            .put("run_name", run.name())
            .put("experiment_id", run.experiment())
            .put("user_id", run.user())
            .put("status", run.status().name())
            .put("start_time", run.startedAt())
            .put("artifact_uri", artifacts(run.experiment(), run.id()))
            .put("lifecycle_stage", lifecycle(run.deleted()));
    if (run.endedAt() != null) {
      shape.put("end_time", run.endedAt());
    }
    return shape;
  }

  /** The address of the artifacts of a run. */
  static String artifacts(String experiment, String run) {
    return SCHEME + experiment + "/" + run + "/artifacts";
  }

  static ObjectNode of(TrackedRun run) {
    ObjectNode shape = object();
    shape.set("info", of(run.info()));
    ObjectNode data = shape.putObject("data");
    ArrayNode metrics = data.putArray("metrics");
    run.metrics().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> {
          ObjectNode metric = metrics.addObject().put("key", entry.getKey());
          number(metric, entry.getValue().value())
              .put("timestamp", entry.getValue().timestamp())
              .put("step", entry.getValue().step());
        });
    pairs(data.putArray("params"), run.parameters());
    pairs(data.putArray("tags"), run.tags());
    shape.putObject("inputs").putArray("dataset_inputs");
    return shape;
  }

  /** A number; those that are not finite are texts, as protocol buffers write them. */
  private static ObjectNode number(ObjectNode metric, double value) {
    return Double.isFinite(value)
        ? metric.put("value", value)
        : metric.put("value", Double.toString(value));
  }

  /** The entries as {@code {key, value}}, by key. */
  static void pairs(ArrayNode list, Map<String, String> entries) {
    entries.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> list.addObject().put("key", entry.getKey()).put("value", entry.getValue()));
  }

  /** Adds the token of the next page, when there is one. */
  static ObjectNode paged(ObjectNode page, boolean more, long nextOffset) {
    return more ? page.put("next_page_token", Long.toString(nextOffset)) : page;
  }
}
