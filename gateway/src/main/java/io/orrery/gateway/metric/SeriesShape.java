package io.orrery.gateway.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.http.Wire;
import org.jspecify.annotations.Nullable;

/** A series as JSON: {@code {trial, key, total, points: [{sequence, value, time}], final}}. */
final class SeriesShape {
  private SeriesShape() {}

  static ObjectNode of(TrialRef trial, @Nullable String key, Metrics.Series series) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("trial", trial.toString())
            .put("key", key == null ? "default" : key)
            .put("total", series.total());
    ArrayNode points = json.putArray("points");
    series.points().forEach(point -> points.add(point(point, key)));
    MetricPoint result = series.result();
    if (result == null) {
      json.putNull("final");
    } else {
      json.set("final", point(result, key));
    }
    return json;
  }

  private static ObjectNode point(MetricPoint point, @Nullable String key) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("attempt", point.attempt().number())
            .put("sequence", point.sequence());
    json.set("value", value(point, key));
    return json.put("time", Wire.time(point.time()));
  }

  private static JsonNode value(MetricPoint point, @Nullable String key) {
    String document = point.value().document();
    if (key == null || key.equals("default")) {
      return Json.MAPPER.getNodeFactory().numberNode(point.value().number());
    }
    JsonNode named = document == null ? null : Json.parse(document).get(key);
    return named == null ? Json.MAPPER.nullNode() : named;
  }
}
