package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import org.jspecify.annotations.Nullable;

/** A value that a trial reports, before its place in the stream is known. */
record Report(MetricKind kind, long sequence, @Nullable String parameterId, MetricValue value) {
  /** No parameter set has a longer name, in characters; the metric store would not take it. */
  static final int LONGEST_ID = 1_024;

  /**
   * Reads NNI's metric payload, whose {@code value} is JSON within a JSON string; a plain one is
   * taken as well.
   *
   * @return null when it is a payload of another type, such as REQUEST_PARAMETER
   * @throws io.orrery.core.problem.ProblemException Refused when the value is no metric, its {@code
   *     sequence} no whole number, or its {@code parameter_id} longer than 1,024 characters
   */
  static @Nullable Report of(JsonNode payload) {
    MetricKind kind =
        switch (payload.path("type").asText()) {
          case "PERIODICAL" -> MetricKind.INTERMEDIATE;
          case "FINAL" -> MetricKind.FINAL;
          default -> null;
        };
    if (kind == null) {
      return null;
    }
    JsonNode id = payload.get("parameter_id");
    if (id != null && id.asText().length() > LONGEST_ID) {
      throw new Problem.Refused(
              new Finding("/parameter_id", "has more than %,d characters".formatted(LONGEST_ID)))
          .toException();
    }
    JsonNode value = payload.path("value");
    Long sequence = payload.has("sequence") ? Numbers.whole(payload.path("sequence")) : (Long) 0L;
    if (sequence == null || sequence < 0) {
      throw new Problem.Refused(new Finding("/sequence", "must be a whole number from 0"))
          .toException();
    }
    return new Report(
        kind,
        sequence,
        id == null || id.isNull() ? null : id.asText(),
        value.isTextual() ? MetricValue.reported(value.textValue()) : MetricValue.reported(value));
  }

  MetricPoint point(AttemptRef attempt, String source, long ordinal, long time) {
    return new MetricPoint(attempt, source, ordinal, kind, sequence, parameterId, time, value);
  }
}
