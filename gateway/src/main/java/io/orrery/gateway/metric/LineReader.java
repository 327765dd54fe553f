package io.orrery.gateway.metric;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one line of a batch of metrics straight from its bytes, token by token: this is the hot
 * path of ingestion, and a tree for each point would cost more than storing it. A field that it
 * does not know is passed over, so that a newer sender can talk to an older server.
 */
final class LineReader {
  /** Shared, for its table of names. Bare NaN is not JSON, but it is what Python writes. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(Json.MAPPER.getFactory().streamReadConstraints())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  /** The longest that the metric log takes. */
  private static final int MAX_NAME = 1_024;

  /** The fields that it knows, each with a bit of its own. */
  private static final Map<String, Integer> FIELDS =
      Map.of(
          "trial", 1,
          "kind", 1 << 1,
          "value", 1 << 2,
          "attempt", 1 << 3,
          "sequence", 1 << 4,
          "ordinal", 1 << 5,
          "source", 1 << 6,
          "time", 1 << 7,
          "named", 1 << 8,
          "parameterId", 1 << 9);

  private final int number;

  /** The bits of the fields that were there. */
  private int seen;

  private @Nullable TrialRef trial;
  private @Nullable MetricKind kind;
  private @Nullable MetricValue value;

  /** A value that is no plain number, before it is known of which kind the line is. */
  private @Nullable JsonNode valueTree;

  private @Nullable Integer attempt;
  private @Nullable Long sequence;
  private @Nullable Long ordinal;
  private @Nullable String parameterId;
  private String source = "";
  private long time;

  private LineReader(int number, long now) {
    this.number = number;
    this.time = now;
  }

  /**
   * @param number the line's place in the batch, from 1
   * @param now the time of a line that names none
   * @throws ProblemException Refused, with the line's number
   */
  static MetricLine read(byte[] bytes, int from, int length, int number, long now) {
    LineReader reader = new LineReader(number, now);
    try (JsonParser json = FACTORY.createParser(bytes, from, length)) {
      return reader.read(json);
    } catch (JsonProcessingException e) {
      throw reader.refused("", "not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MetricLine read(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw refused("", "a line is one JSON object");
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      field(name, json);
    }
    if (json.nextToken() != null) {
      throw refused("", "one object a line: something follows the first");
    }
    if (trial == null) {
      throw refused("/trial", "'trial' is missing: \"<experiment>/<trial>\"");
    }
    if (kind == null) {
      throw refused("/kind", "'kind' is missing: \"intermediate\" or \"final\"");
    }
    if (sequence == null) {
      throw refused("/sequence", "'sequence' is missing: a whole number from 0");
    }
    JsonNode tree = valueTree;
    MetricValue read = tree == null ? value : judged(tree);
    if (read == null) {
      throw refused("/value", "'value' is missing: a number or an object with 'default'");
    }
    return new MetricLine(
        number,
        trial,
        attempt,
        source,
        ordinal == null ? sequence : ordinal,
        kind,
        sequence,
        parameterId,
        time,
        read);
  }

  private void field(String name, JsonParser json) throws IOException {
    int bit = FIELDS.getOrDefault(name, 0);
    if ((seen & bit) != 0) {
      throw refused("/" + name, "'" + name + "' is here twice");
    }
    seen |= bit;
    switch (name) {
      case "trial" -> trial = trial(text(name, json));
      case "kind" -> kind = kind(text(name, json));
      case "value" -> value(json);
      case "attempt" -> attempt = (int) whole(name, json, 1, Integer.MAX_VALUE);
      case "sequence" -> sequence = whole(name, json, 0, Long.MAX_VALUE);
      case "ordinal" -> ordinal = whole(name, json, 0, Long.MAX_VALUE);
      case "source" -> source = shortText(name, json);
      case "time" -> time = time(json);
      case "named" -> flag(name, json); // of senders from before objects needed no mark
      case "parameterId" -> parameterId = parameterId(json);
      default -> json.skipChildren();
    }
  }

  private TrialRef trial(String text) {
    try {
      return TrialRef.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused("/trial", "'trial' is \"<experiment>/<trial>\", not \"" + text + "\"");
    }
  }

  private MetricKind kind(String text) {
    return switch (text) {
      case "intermediate" -> MetricKind.INTERMEDIATE;
      case "final" -> MetricKind.FINAL;
      default ->
          throw refused("/kind", "'kind' is \"intermediate\" or \"final\", not \"" + text + "\"");
    };
  }

  private void value(JsonParser json) throws IOException {
    if (json.currentToken().isNumeric()) {
      value = MetricValue.of(json.getDoubleValue());
    } else {
      try {
        valueTree = Json.treeOf(json);
      } catch (MismatchedInputException twice) {
        throw refused("/value", "an object in 'value' has a key twice");
      }
    }
  }

  private MetricValue judged(JsonNode tree) {
    try {
      return MetricValue.reported(tree);
    } catch (ProblemException noMetric) {
      throw refused("/value", "'value' " + noMetric.problem().detail());
    }
  }

  private void flag(String name, JsonParser json) throws IOException {
    switch (json.currentToken()) {
      case VALUE_TRUE, VALUE_FALSE -> {}
      default -> throw refused("/" + name, "'" + name + "' is true or false");
    }
  }

  private long time(JsonParser json) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return whole("time", json, 0, Long.MAX_VALUE);
    }
    try {
      return OffsetDateTime.parse(text("time", json)).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw refused("/time", "'time' is like \"2026-01-31T12:00:00Z\", or milliseconds since 1970");
    }
  }

  private String text(String name, JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw refused("/" + name, "'" + name + "' is a text");
    }
    return json.getText();
  }

  /** Algorithms name their suggestions by numbers or texts. */
  private @Nullable String parameterId(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_STRING -> shortText("parameterId", json);
      case VALUE_NUMBER_INT -> json.getText();
      default -> throw refused("/parameterId", "'parameterId' is a text or a whole number");
    };
  }

  private String shortText(String name, JsonParser json) throws IOException {
    String text = text(name, json);
    if (text.length() > MAX_NAME) {
      throw refused("/" + name, "'" + name + "' has at most " + MAX_NAME + " characters");
    }
    return text;
  }

  private long whole(String name, JsonParser json, long min, long max) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long number = json.getLongValue();
      if (number >= min && number <= max) {
        return number;
      }
    } else if (json.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      Long number = Numbers.whole(json.getDoubleValue());
      if (number != null && number >= min && number <= max) {
        return number;
      }
    }
    throw refused("/" + name, "'" + name + "' is a whole number from " + min);
  }

  private ProblemException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message, number)).toException();
  }
}
