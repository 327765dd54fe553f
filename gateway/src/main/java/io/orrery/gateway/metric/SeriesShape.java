package io.orrery.gateway.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.http.WireTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A series as JSON: {@code {trial, key, total, points: [{sequence, value, time}], final}}. Points
 * are written as text: a chart of a hundred trials has a hundred thousand, and a tree of each would
 * cost several times what reading them does.
 */
final class SeriesShape {
  private SeriesShape() {}

  static ObjectNode of(TrialRef trial, @Nullable String key, Metrics.Series series) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("trial", trial.toString())
            .put("key", key == null ? "default" : key)
            .put("total", series.total());
    WireTime time = new WireTime();
    StringBuilder points = new StringBuilder(series.points().size() * 96 + 2).append('[');
    String separator = "";
    for (MetricPoint point : series.points()) {
      points.append(separator);
      append(points, point, key, time);
      separator = ",";
    }
    json.putRawValue("points", new RawValue(points.append(']').toString()));
    MetricPoint result = series.result();
    if (result == null) {
      json.putNull("final");
    } else {
      StringBuilder text = new StringBuilder();
      append(text, result, key, time);
      json.putRawValue("final", new RawValue(text.toString()));
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

  private static void append(
      StringBuilder text, MetricPoint point, @Nullable String key, WireTime time) {
    text.append("{\"attempt\":").append(point.attempt().number());
    text.append(",\"sequence\":").append(point.sequence());
    text.append(",\"value\":");
    if (key == null || key.equals("default")) {
      number(text, point.value().number());
    } else {
      text.append(named(point.value().document(), key));
    }
    text.append(",\"time\":\"");
    time.append(text, point.time());
    text.append("\"}");
  }

  /** JSON has no word for what is not a number: it is a text, as everywhere in the API. */
  private static void number(StringBuilder text, double number) {
    if (Double.isFinite(number)) {
      text.append(number);
    } else {
      text.append('"').append(number).append('"');
    }
  }

  private static String named(@Nullable String document, String key) {
    JsonNode named = document == null ? null : Json.parse(document).get(key);
    return named == null ? "null" : Json.write(named);
  }
}
