package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A trial as JSON; its parameters are those that its metric belongs to. They are written as they
 * are, as whoever asks for a page of trials would wait for a tree of each one's.
 */
public final class TrialShape {
  private TrialShape() {}

  public static ObjectNode of(Trial trial) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("id", trial.ref().trial().value())
            .put("experiment", trial.ref().experiment().value())
            .put("sequenceId", trial.sequenceId())
            .put("status", trial.status().name())
            .put("reason", trial.reason())
            .put("attempt", trial.attempt())
            .put("parameterId", trial.counted().parameterId())
            .put("parameterSource", trial.counted().source().text());
    json.putPOJO("parameters", trial.counted().values());
    metric(json, trial.metric());
    if (trial.parameters().size() > 1) {
      ArrayNode sets = json.putArray("parameterSets");
      trial.parameters().forEach(set -> sets.add(set(set)));
    }
    json.put("exitCode", trial.exitCode())
        .put("directory", trial.directory())
        .put("createdAt", Wire.time(trial.createdAt()))
        .put("startedAt", Wire.time(trial.startedAt()))
        .put("endedAt", Wire.time(trial.endedAt()));
    ArrayNode tags = json.putArray("tags");
    trial.tags().forEach(tags::add);
    return json;
  }

  private static ObjectNode set(ParameterSet set) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("index", set.index())
            .put("parameterId", set.parameterId());
    json.putPOJO("parameters", set.values());
    metric(json, set.result());
    return json;
  }

  private static void metric(ObjectNode json, @Nullable MetricValue metric) {
    if (metric == null) {
      json.putNull("metric");
    } else {
      json.put("metric", metric.number());
      if (metric.document() != null) {
        json.set("metricDocument", Json.parse(metric.document()));
      }
    }
  }
}
