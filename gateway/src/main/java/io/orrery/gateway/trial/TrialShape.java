package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Wire;

/** A trial as JSON. */
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
            .put("parameterId", trial.current().parameterId())
            .put("parameterSource", trial.current().source().text());
    json.set("parameters", Wire.parameters(trial.current().values()));
    MetricValue metric = trial.metric();
    if (metric == null) {
      json.putNull("metric");
    } else {
      json.put("metric", metric.number());
      if (metric.document() != null) {
        json.set("metricDocument", Json.parse(metric.document()));
      }
    }
    json.put("exitCode", trial.exitCode())
        .put("directory", trial.directory())
        .put("createdAt", Wire.time(trial.createdAt()))
        .put("startedAt", Wire.time(trial.startedAt()))
        .put("endedAt", Wire.time(trial.endedAt()));
    json.set("tags", Json.MAPPER.valueToTree(trial.tags()));
    return json;
  }
}
