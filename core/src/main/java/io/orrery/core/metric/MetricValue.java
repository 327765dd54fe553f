package io.orrery.core.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A value as the trial gave it.
 *
 * @param number the number that search looks at: the value itself, or the {@code default} of an
 *     object. NaN and the infinities are kept. NaN also when an object has no numeric default
 * @param document the whole object as JSON text when it was one, else null
 */
public record MetricValue(double number, @Nullable String document) {
  /** A plain number. */
  public static MetricValue of(double number) {
    return new MetricValue(number, null);
  }

  /**
   * Reads a value that a trial reports or a user imports: the one judgement for every way in. It is
   * a number; {@code true} or {@code false}, which count as 1 and 0 as in Python; NaN or an
   * infinity, as a bare word or one of the three texts that JSON has for them; or an object whose
   * {@code default} is one of these. An object without a {@code default} names its numbers itself,
   * for the objectives of its experiment: an intermediate one is drawn, and neither compared nor
   * assessed; a final one is the result as far as it names an objective.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is nothing of that
   */
  public static MetricValue reported(JsonNode json) {
    Double number = number(json);
    if (number != null) {
      return of(number);
    }
    if (json.isObject()) {
      JsonNode standard = json.get("default");
      Double value = standard == null ? null : number(standard);
      if (value != null || standard == null) {
        return new MetricValue(value == null ? Double.NaN : value, json.toString());
      }
    }
    throw refused(
        "must be a number, \"NaN\", \"Infinity\", \"-Infinity\", or an object; its 'default', if"
            + " it has one, must be one of these");
  }

  /**
   * The same for JSON text, in which an object has each key once.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is no JSON, or no metric
   */
  public static MetricValue reported(String json) {
    return reported(Json.parse(json));
  }

  /**
   * Reads JSON text that was accepted once: like {@link #reported}, but an object without a numeric
   * {@code default} is kept in any case.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is nothing of that
   */
  public static MetricValue parse(String json) {
    return of(Json.parse(json));
  }

  /** The same for a tree. */
  public static MetricValue of(JsonNode json) {
    Double number = number(json);
    if (number != null) {
      return of(number);
    }
    if (json.isObject()) {
      JsonNode standard = json.get("default");
      Double value = standard == null ? null : number(standard);
      return new MetricValue(value == null ? Double.NaN : value, json.toString());
    }
    throw refused("a metric is a number or an object with a numeric 'default'");
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }

  /** The number under a key of a result, null when there is none. */
  public static @Nullable Double numberAt(JsonNode entries, String key) {
    JsonNode entry = entries.get(key);
    return entry == null ? null : number(entry);
  }

  private static @Nullable Double number(JsonNode json) {
    if (json.isNumber()) {
      return json.doubleValue();
    }
    if (json.isBoolean()) {
      return json.booleanValue() ? 1.0 : 0.0;
    }
    return switch (json.textValue()) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      case null, default -> null;
    };
  }

  /**
   * Whether it is an object without a {@code default}: it says something under other names, and
   * nothing to who looks at the number.
   */
  public boolean isNamedOnly() {
    return document != null && Double.isNaN(number) && !Json.parse(document).has("default");
  }

  /** The JSON text of the value; not-finite numbers as strings. */
  public String toJson() {
    return document == null ? Json.write(number) : document;
  }
}
