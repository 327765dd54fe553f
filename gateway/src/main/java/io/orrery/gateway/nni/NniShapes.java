package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts our objects to NNI's JSON. Times are milliseconds since the epoch, durations seconds. A
 * metric is JSON text whose decoded value is once more JSON text, the way the trial's Python wrote
 * it.
 *
 * <p>NNI's Python client builds its objects with exactly the members of a shape as arguments: one
 * member more, or one less where it knows no default, and it fails. So a trial that waits has a
 * {@code startTime} too (when it was made) and a {@code logPath} (empty), and a reason is not told.
 */
final class NniShapes {
  private NniShapes() {}

  static long startTime(Experiment experiment) {
    return Objects.requireNonNullElse(experiment.startedAt(), experiment.createdAt())
        .toEpochMilli();
  }

  /** {@code TrialJobInfo}. */
  static ObjectNode trial(Trial trial) {
    String logPath = trial.directory() == null ? "" : "file://localhost:" + trial.directory();
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("trialJobId", trial.ref().trial().value())
            .put("sequenceId", trial.sequenceId())
            .put("status", trial.status().name())
            .put("startTime", started(trial).toEpochMilli());
    if (trial.endedAt() != null) {
      json.put("endTime", trial.endedAt().toEpochMilli());
    }
    ArrayNode records = json.putArray("hyperParameters");
    trial.parameters().forEach(set -> records.add(Json.write(ParameterRecord.of(set))));
    json.put("logPath", logPath);
    if (trial.status() == TrialStatus.SUCCEEDED && trial.metric() != null) {
      ArrayNode results = json.putArray("finalMetricData");
      trial.tried().stream()
          .filter(set -> set.result() != null)
          .forEach(set -> results.add(result(trial, set)));
    }
    if (trial.status() == TrialStatus.FAILED) {
      json.put("stderrPath", logPath + "/stderr");
    }
    return json;
  }

  /**
   * The result of one of the sets of a trial; the moment of the trial's end stands for that of the
   * report.
   */
  static ObjectNode result(Trial trial, ParameterSet set) {
    Instant time = Objects.requireNonNullElse(trial.endedAt(), started(trial));
    MetricValue value = Objects.requireNonNull(set.result());
    return metric(trial, time.toEpochMilli(), set.parameterId(), "FINAL", 0, value);
  }

  /** {@code MetricDataRecord}. */
  static ObjectNode metric(Trial trial, MetricPoint point) {
    String type =
        switch (point.kind()) {
          case INTERMEDIATE -> "PERIODICAL";
          case FINAL -> "FINAL";
        };
    // The stock client numbers intermediate results; a final one has 0 whatever came before it.
    long sequence = point.kind() == MetricKind.FINAL ? 0 : point.sequence();
    return metric(trial, point.time(), point.parameterId(), type, sequence, point.value());
  }

  private static ObjectNode metric(
      Trial trial,
      long time,
      @Nullable String reportedId,
      String type,
      long sequence,
      MetricValue value) {
    String id = reportedId == null ? trial.current().parameterId() : reportedId;
    return Json.MAPPER
        .createObjectNode()
        .put("timestamp", time)
        .put("trialJobId", trial.ref().trial().value())
        .put("parameterId", id == null ? "" : id)
        .put("type", type)
        .put("sequence", sequence)
        .put("data", Json.write(text(value)));
  }

  /**
   * The entries of {@code export-data} for a trial, one for each set that has a result: the value
   * is JSON text, decoded once.
   */
  static Stream<JsonNode> export(Trial trial) {
    return trial.tried().stream()
        .filter(set -> set.result() != null)
        .map(set -> {
          ObjectNode json = Json.MAPPER.createObjectNode();
          json.set("parameter", parameter(set.values()));
          return json.put("value", text(Objects.requireNonNull(set.result())))
              .put("trialJobId", trial.ref().trial().value());
        });
  }

  /** As Python's json module writes it: NaN and the infinities are bare words. */
  private static String text(MetricValue value) {
    return value.document() == null && !Double.isFinite(value.number())
        ? Double.toString(value.number())
        : value.toJson();
  }

  private static Instant started(Trial trial) {
    return Objects.requireNonNullElse(trial.startedAt(), trial.createdAt());
  }

  /** The parameters of a trial: an object, or the one value that has no name. */
  static JsonNode parameter(Parameters parameters) {
    return Json.MAPPER.valueToTree(parameters.value());
  }
}
