package io.orrery.gateway.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.http.Wire;
import java.util.List;
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

  /**
   * A page of what a trial reported, every point of it; {@code next} says where the next one
   * begins.
   *
   * @param since where this one began, which is where to ask again when nothing was there
   */
  static ObjectNode page(TrialRef trial, @Nullable String key, Metrics.Stretch page, String since) {
    List<MetricPoint> line =
        page.points().stream().filter(point -> point.kind() == MetricKind.INTERMEDIATE).toList();
    MetricPoint result =
        page.points().stream()
            .filter(point -> point.kind() == MetricKind.FINAL)
            .reduce((before, last) -> last)
            .orElse(null);
    return of(trial, key, new Metrics.Series(line, result, line.size()))
        .put("next", page.next() == null ? since : page.next());
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
