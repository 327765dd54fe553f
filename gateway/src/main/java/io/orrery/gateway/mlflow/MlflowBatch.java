package io.orrery.gateway.mlflow;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.orrery.core.bus.contract.Tracking.MetricChunk;
import io.orrery.core.json.Json;
import io.orrery.core.tracking.TrackedPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The body of {@code runs/log-batch}, read in one pass: points are packed as they come, since a
 * tree of a thousand points costs more than everything that is done with them.
 */
final class MlflowBatch {
  static final int MOST_PARAMETER = 6_000;

  private static final int MOST_METRICS = 1_000;
  private static final int MOST_PAIRS = 100;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(Json.MAPPER.getFactory().streamReadConstraints())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final Map<String, TrackedPoints> points = new HashMap<>();
  private final Map<String, String> parameters = new LinkedHashMap<>();
  private final Map<String, String> tags = new LinkedHashMap<>();
  private String run = "";
  private int metrics;

  private MlflowBatch() {}

  String run() {
    return run;
  }

  Map<String, String> parameters() {
    return parameters;
  }

  Map<String, String> tags() {
    return tags;
  }

  /** The points by metric. */
  List<MetricChunk> metrics() {
    List<MetricChunk> chunks = new ArrayList<>(points.size());
    points.forEach((metric, packed) -> chunks.add(chunk(metric, packed)));
    return chunks;
  }

  /** Points of one metric as they are stored. */
  static MetricChunk chunk(String metric, TrackedPoints points) {
    return new MetricChunk(metric, points.toBytes(), points.latest());
  }

  /**
   * Reads a body.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with what is wrong
   */
  static MlflowBatch read(byte[] body) {
    MlflowBatch batch = new MlflowBatch();
    try (JsonParser json = FACTORY.createParser(body)) {
      batch.read(json);
      if (json.nextToken() != null) {
        throw MlflowRequest.refused("the body goes on after its JSON object");
      }
    } catch (JsonProcessingException e) {
      throw MlflowRequest.refused("the body is no JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new IllegalStateException("bytes that are here cannot be read", e);
    }
    if (batch.run.isEmpty()) {
      throw MlflowRequest.refused("Missing value for required parameter 'run_id'");
    }
    return batch;
  }

  private void read(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw MlflowRequest.refused("the body is a JSON object");
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      switch (field) {
        case "run_id", "run_uuid" -> run = String.valueOf(json.getValueAsString(""));
        case "metrics" -> {
          if (isList(json, value, field)) {
            readMetrics(json);
          }
        }
        case "params" -> {
          if (isList(json, value, field)) {
            readPairs(json, "params", MOST_PARAMETER, parameters);
          }
        }
        case "tags" -> {
          if (isList(json, value, field)) {
            readPairs(json, "tags", MlflowRequest.MOST_TAG, tags);
          }
        }
        default -> json.skipChildren();
      }
    }
  }

  private static boolean isList(JsonParser json, JsonToken value, String field) {
    if (value != JsonToken.START_ARRAY && value != JsonToken.VALUE_NULL) {
      throw MlflowRequest.refused("'" + field + "' is a list");
    }
    return value == JsonToken.START_ARRAY && !json.isClosed();
  }

  private void readMetrics(JsonParser json) throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw MlflowRequest.refused("'metrics' is a list of objects {key, value, timestamp, step}");
      }
      if (++metrics > MOST_METRICS) {
        throw MlflowRequest.refused(
            "A batch logging request can contain at most %d metrics. Please split up metrics across multiple requests and try again."
                .formatted(MOST_METRICS));
      }
      readMetric(json);
    }
  }

  private void readMetric(JsonParser json) throws IOException {
    String key = "";
    double value = 0;
    boolean valued = false;
    long timestamp = 0;
    long step = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "key" -> key = String.valueOf(json.getValueAsString(""));
        case "value" -> {
          value = number(json);
          valued = true;
        }
        case "timestamp" -> timestamp = integer(json, field);
        case "step" -> step = integer(json, field);
        default -> json.skipChildren();
      }
    }
    if (!valued) {
      throw MlflowRequest.refused("the value of the metric '" + key + "' is missing");
    }
    TrackedPoints of = points.get(key);
    if (of == null) {
      of = new TrackedPoints();
      points.put(MlflowRequest.key("metrics", key), of);
    }
    of.add(timestamp, step, value);
  }

  /** A number; those that are not finite may be texts. */
  private static double number(JsonParser json) throws IOException {
    if (json.currentToken().isNumeric()) {
      return json.getDoubleValue();
    }
    return number(json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "");
  }

  /** The number of a text. */
  static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw MlflowRequest.refused(
          "the value of a metric is a number, or \"NaN\", \"Infinity\" or \"-Infinity\"; not '"
              + text.substring(0, Math.min(text.length(), 40))
              + "'");
    }
  }

  /** A whole number, or a text that holds one: protocol buffers write it so. */
  private static long integer(JsonParser json, String field) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return json.getLongValue();
    }
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return 0;
    }
    try {
      return Long.parseLong(json.getText());
    } catch (NumberFormatException e) {
      throw MlflowRequest.refused("'" + field + "' of a metric is a whole number");
    }
  }

  private static void readPairs(JsonParser json, String list, int most, Map<String, String> pairs)
      throws IOException {
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw MlflowRequest.refused("'" + list + "' is a list of objects {key, value}");
      }
      if (++count > MOST_PAIRS) {
        throw MlflowRequest.refused(
            "A batch logging request can contain at most %d %s.".formatted(MOST_PAIRS, list));
      }
      String key = "";
      String value = "";
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "key" -> key = String.valueOf(json.getValueAsString(""));
          case "value" -> value = String.valueOf(json.getValueAsString(""));
          default -> json.skipChildren();
        }
      }
      add(pairs, list, key, value, most);
    }
  }

  private static void add(
      Map<String, String> pairs, String list, String key, String value, int most) {
    if (value.length() > most || value.indexOf('\0') >= 0) {
      throw MlflowRequest.refused(
          "the value of '%s' has at most %,d characters and no character 0".formatted(key, most));
    }
    String before = pairs.put(MlflowRequest.key(list, key), value);
    if (before != null && !before.equals(value) && list.equals("params")) {
      throw MlflowRequest.refused("Duplicate parameter keys have been submitted: '" + key + "'");
    }
  }
}
