package io.orrery.gateway.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.gateway.http.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A series as JSON: {@code {trial, key, total, points: [{sequence, value, time}], final}}. */
final class SeriesShape {
  private static final String DEFAULT = "default";

  /** About what a point takes, and a series without its points. */
  private static final int POINT_BYTES = 96;

  private static final int SERIES_BYTES = 256;

  private static final byte[] VALUE = ascii(",\"value\":");
  private static final byte[] TIME = ascii(",\"time\":");

  private SeriesShape() {}

  /** One series by itself, as {@link Metrics#SERIES} answers: its values are those of the key. */
  static JsonText of(TrialRef trial, @Nullable String key, Metrics.Series series) {
    return put(empty(series.points().size(), 1), trial, key, series).raw('}');
  }

  /** Room for some series with so many points in all. */
  static JsonText empty(int points, int series) {
    return new JsonText(points * POINT_BYTES + series * SERIES_BYTES);
  }

  /** Writes such a series, but for the brace in the end. */
  static JsonText put(JsonText json, TrialRef trial, @Nullable String key, Metrics.Series series) {
    return put(json, trial, key, series, null);
  }

  /**
   * @param named the key under which values are to be looked up; null when they are there already
   */
  private static JsonText put(
      JsonText json,
      TrialRef trial,
      @Nullable String key,
      Metrics.Series series,
      @Nullable String named) {
    begin(json, trial, key, series.total());
    for (int i = 0; i < series.points().size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      put(json, series.points().get(i), named);
    }
    return end(json, series.result(), named);
  }

  /** Writes one of which there are the numbers alone. */
  static JsonText put(JsonText json, TrialRef trial, Metrics.Curve curve) {
    begin(json, trial, null, curve.total());
    byte[] first = head(curve.attempt());
    byte[] next = ascii("," + new String(first, StandardCharsets.US_ASCII));
    for (int i = 0; i < curve.sequences().length; i++) {
      json.raw(i == 0 ? first : next)
          .number(curve.sequences()[i])
          .raw(VALUE)
          .number(curve.values()[i])
          .raw(TIME)
          .time(curve.times()[i])
          .raw('}');
    }
    return end(json, curve.result(), null).raw('}');
  }

  /**
   * A page of what a trial reported, every point of it; {@code next} says where the next one
   * begins.
   *
   * @param since where this one began, which is where to ask again when nothing was there
   */
  static JsonText page(TrialRef trial, @Nullable String key, Metrics.Stretch page, String since) {
    List<MetricPoint> line =
        page.points().stream().filter(point -> point.kind() == MetricKind.INTERMEDIATE).toList();
    MetricPoint result =
        page.points().stream()
            .filter(point -> point.kind() == MetricKind.FINAL)
            .reduce((before, last) -> last)
            .orElse(null);
    String next = page.next() == null ? since : page.next();
    Metrics.Series series = new Metrics.Series(line, result, line.size());
    return put(empty(line.size(), 1), trial, key, series, key)
        .raw(",\"next\":")
        .raw(Json.write(next))
        .raw('}');
  }

  private static void begin(JsonText json, TrialRef trial, @Nullable String key, long total) {
    json.raw("{\"trial\":")
        .raw(Json.write(trial.toString()))
        .raw(",\"key\":")
        .raw(Json.write(key == null ? DEFAULT : key))
        .raw(",\"total\":")
        .number(total)
        .raw(",\"points\":[");
  }

  private static JsonText end(JsonText json, @Nullable MetricPoint result, @Nullable String named) {
    json.raw("],\"final\":");
    return result == null ? json.raw("null") : put(json, result, named);
  }

  private static JsonText put(JsonText json, MetricPoint point, @Nullable String named) {
    json.raw(head(point.attempt().number())).number(point.sequence()).raw(VALUE);
    if (named == null || named.equals(DEFAULT)) {
      json.number(point.value().number());
    } else {
      json.raw(named(point.value().document(), named));
    }
    return json.raw(TIME).time(point.time()).raw('}');
  }

  private static byte[] head(int attempt) {
    return ascii("{\"attempt\":" + attempt + ",\"sequence\":");
  }

  private static String named(@Nullable String document, String key) {
    JsonNode named = document == null ? null : Json.parse(document).get(key);
    return named == null ? "null" : Json.write(named);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
