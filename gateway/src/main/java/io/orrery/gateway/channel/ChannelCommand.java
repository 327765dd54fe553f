package io.orrery.gateway.channel;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A message of a trial on its channel. In NNI's form every layer is JSON in a JSON string: the
 * command holds the metric as text, the metric its value as text. We take the inner layers as plain
 * JSON too.
 */
sealed interface ChannelCommand {
  /** What NNI's SDK puts before a metric that it prints. */
  String MARK = "NNISDK_MEb'";

  /** A request for the trial's parameters. */
  record RequestParameter() implements ChannelCommand {}

  /**
   * "This is a result."
   *
   * @param identity who counted it and how, null when the sender does not count (NNI's own SDK)
   */
  record Metric(
      MetricKind kind,
      long sequence,
      @Nullable String parameterId,
      MetricValue value,
      @Nullable Identity identity)
      implements ChannelCommand {}

  /** Makes a repeated report recognisable: see {@link io.orrery.core.metric.MetricPoint}. */
  record Identity(String source, long ordinal) {}

  /**
   * @throws ProblemException Refused when it is no command
   */
  static ChannelCommand read(String text) {
    JsonNode command = Json.parse(text);
    return switch (command.path("type").asText()) {
      case "request_parameter" -> new RequestParameter();
      case "metric" -> metric(command.path("metric"));
      default -> throw refused("/type", "'type' is \"request_parameter\" or \"metric\"");
    };
  }

  /**
   * The metric that NNI's SDK has printed, when it could not tell it otherwise: all between its
   * mark and the quote that is the end of the line; null when a line has none.
   */
  static @Nullable String printed(String line) {
    String text = line.stripTrailing();
    int mark = text.indexOf(MARK);
    int from = mark + MARK.length();
    int to = text.length() - 1;
    return mark >= 0 && from <= to && text.charAt(to) == '\'' ? text.substring(from, to) : null;
  }

  /**
   * The same of a metric alone.
   *
   * @throws ProblemException Refused when it is none
   */
  static ChannelCommand metric(JsonNode given) {
    JsonNode metric = given.isTextual() ? Json.parse(given.textValue()) : given;
    return switch (metric.path("type").asText()) {
      case "REQUEST_PARAMETER" -> new RequestParameter();
      case "PERIODICAL" -> metric(MetricKind.INTERMEDIATE, metric);
      case "FINAL" -> metric(MetricKind.FINAL, metric);
      default -> throw refused("/metric/type", "a metric's 'type' is \"PERIODICAL\" or \"FINAL\"");
    };
  }

  private static Metric metric(MetricKind kind, JsonNode metric) {
    JsonNode value = metric.path("value");
    JsonNode parameterId = metric.path("parameter_id");
    return new Metric(
        kind,
        metric.has("sequence") ? whole(metric, "sequence") : 0,
        parameterId.isValueNode() && !parameterId.isNull() ? parameterId.asText() : null,
        reported(value),
        identity(metric));
  }

  private static MetricValue reported(JsonNode value) {
    try {
      return value.isTextual()
          ? MetricValue.reported(value.textValue())
          : MetricValue.reported(value);
    } catch (ProblemException noMetric) {
      throw refused("/metric/value", "'value' " + noMetric.problem().detail());
    }
  }

  private static @Nullable Identity identity(JsonNode metric) {
    if (!metric.has("source") && !metric.has("ordinal")) {
      return null;
    }
    if (!metric.path("source").isTextual()) {
      throw refused("/metric/source", "'source' is a text and comes with 'ordinal'");
    }
    return new Identity(metric.path("source").textValue(), whole(metric, "ordinal"));
  }

  private static long whole(JsonNode metric, String name) {
    Long number = Numbers.whole(metric.path(name));
    if (number == null || number < 0) {
      throw refused("/metric/" + name, "'" + name + "' is a whole number from 0");
    }
    return number;
  }

  private static ProblemException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
