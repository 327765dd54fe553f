package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialField.Standard;
import io.orrery.core.trial.TrialStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of the query parameter {@code where}: a field, a comparison and a value, such as {@code
 * parameters.lr>=0.01} or {@code status=["FAILED","RUNNING"]}.
 */
final class TrialConditions {
  /** Most of them in one question. */
  static final int MOST = 20;

  private static final int MOST_VALUES = 100;
  private static final int MOST_CHARACTERS = 10_000;
  private static final Pattern FORM =
      Pattern.compile("([^<>=!]+)(<=|>=|!=|=|<|>)(.*)", Pattern.DOTALL);

  private TrialConditions() {}

  /**
   * Reads one.
   *
   * @throws ProblemException Refused, with what would be right
   */
  static TrialCondition read(String text) {
    Matcher parts = FORM.matcher(text);
    if (text.length() > MOST_CHARACTERS || !parts.matches() || parts.group(3).isBlank()) {
      throw refused(
          "a condition is a field, one of = != < <= > >=, and a value, such as metric>=0.9 or"
              + " parameters.lr<0.01");
    }
    TrialField field = TrialField.parse(parts.group(1).strip());
    Comparison comparison =
        Arrays.stream(Comparison.values())
            .filter(known -> known.sign().equals(parts.group(2)))
            .findFirst()
            .orElseThrow();
    List<Object> values = new ArrayList<>();
    for (JsonNode value : values(parts.group(3).strip())) {
      values.add(value(field, value));
    }
    if (values.isEmpty() || values.size() > MOST_VALUES) {
      throw refused("one to " + MOST_VALUES + " values, not " + values.size());
    }
    if (!comparison.isEquality()) {
      if (values.size() > 1) {
        throw refused("a list of values goes with = and != only");
      }
      if (field.kind() == TrialField.Kind.TEXT) {
        throw refused("'" + field.text() + "' is a word: it is compared with = and != only");
      }
    }
    return new TrialCondition(field, comparison, values);
  }

  /** JSON where it is; a bare word is a word. */
  private static List<JsonNode> values(String text) {
    JsonNode value;
    try {
      value = Json.parse(text);
    } catch (ProblemException notJson) {
      value = Json.MAPPER.getNodeFactory().textNode(text);
    }
    if (!value.isArray()) {
      return List.of(value);
    }
    List<JsonNode> items = new ArrayList<>();
    value.forEach(items::add);
    return items;
  }

  private static Object value(TrialField field, JsonNode value) {
    return switch (field.kind()) {
      case NUMBER -> number(field, value);
      case TEXT -> word(field, value);
      case TIME -> time(field, value);
      case ANY -> value.isTextual() ? value.textValue() : number(field, value);
    };
  }

  private static Double number(TrialField field, JsonNode value) {
    if (value.isBoolean()) {
      return value.booleanValue() ? 1.0 : 0.0;
    }
    double number =
        switch (value.asText()) {
          case "Infinity" -> Double.POSITIVE_INFINITY;
          case "-Infinity" -> Double.NEGATIVE_INFINITY;
          default -> value.isNumber() ? value.doubleValue() : Double.NaN;
        };
    if (Double.isNaN(number)) {
      throw refused("'" + field.text() + "' is compared with a number, not " + shown(value));
    }
    return number;
  }

  private static String word(TrialField field, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw refused("'" + field.text() + "' is compared with a word, not " + shown(value));
    }
    String word = value.asText();
    if (field == Standard.STATUS) {
      List<String> known = Arrays.stream(TrialStatus.values()).map(Enum::name).toList();
      if (!known.contains(word)) {
        throw refused(
            "a status is one of "
                + String.join(", ", known)
                + "; not '"
                + word
                + "'"
                + Nearest.hint(word, known));
      }
    }
    return word;
  }

  private static Double time(TrialField field, JsonNode value) {
    try {
      return (double) Instant.parse(value.asText()).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw refused(
          "'"
              + field.text()
              + "' is compared with a time such as 2026-01-31T12:00:00Z, not "
              + shown(value));
    }
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
