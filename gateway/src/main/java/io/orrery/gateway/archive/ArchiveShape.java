package io.orrery.gateway.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.bus.contract.Metrics.Series;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.annotation.AnnotationShape;
import io.orrery.gateway.experiment.Credentials;
import io.orrery.gateway.http.Wire;

/** The lines of an archive. */
final class ArchiveShape {
  /** What the first line says of itself, so that nothing else is taken for an archive. */
  static final String FORMAT = "orrery-experiment/1";

  static final String ANNOTATION = "annotation";

  private ArchiveShape() {}

  static ObjectNode experiment(Experiment experiment, Annotation annotation) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("format", FORMAT)
            .put("id", experiment.id().value())
            .put("status", experiment.status().name())
            .put("executionSeconds", experiment.executionSeconds())
            .put("createdAt", Wire.time(experiment.createdAt()))
            .put("startedAt", Wire.time(experiment.startedAt()))
            .put("endedAt", Wire.time(experiment.endedAt()));
    annotate(json, annotation);
    return json.set(
        "config", Credentials.covered(Json.parse(experiment.spec().description().config())));
  }

  static ObjectNode trial(Trial trial, Series series, Annotation annotation) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", trial.ref().trial().value())
            .put("sequenceId", trial.sequenceId())
            .put("status", trial.status().name())
            .put("reason", trial.reason())
            .put("attempt", trial.attempt())
            .put("exitCode", trial.exitCode())
            .put("createdAt", Wire.time(trial.createdAt()))
            .put("startedAt", Wire.time(trial.startedAt()))
            .put("endedAt", Wire.time(trial.endedAt()));
    annotate(json, annotation);
    ArrayNode sets = json.putArray("parameters");
    for (ParameterSet set : trial.parameters()) {
      ObjectNode record = ParameterRecord.of(set);
      if (set.result() != null) {
        record.set("result", value(set.result()));
      }
      sets.add(record);
    }
    json.set("metric", trial.metric() == null ? null : value(trial.metric()));
    ArrayNode points = json.putArray("points");
    series.points().forEach(point -> points.add(point(point)));
    if (series.result() != null) {
      points.add(point(series.result()));
    }
    return json;
  }

  /**
   * Only with what has a note or tags, so that other lines are as they were before there were any.
   */
  private static void annotate(ObjectNode json, Annotation annotation) {
    if (!annotation.equals(Annotation.NONE)) {
      json.set(ANNOTATION, AnnotationShape.of(annotation));
    }
  }

  private static ObjectNode point(MetricPoint point) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("kind", point.kind().text())
            .put("sequence", point.sequence())
            .put("time", point.time())
            .put("parameterId", point.parameterId());
    return json.set("value", value(point.value()));
  }

  private static JsonNode value(MetricValue value) {
    return Json.parse(value.toJson());
  }
}
