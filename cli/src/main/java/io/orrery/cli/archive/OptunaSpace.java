package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A search space that is put together from the distributions of Optuna's trials. A range that
 * changed from trial to trial becomes the widest of them.
 */
final class OptunaSpace {
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  /** As far as the steps of a range may lie beside the multiples of the step. */
  private static final double NEAR = 1e-9;

  /** So many values a range may have that becomes a list of choices. */
  private static final long MOST_CHOICES = 1_000;

  private final Map<String, Range> ranges = new LinkedHashMap<>();

  /** A range that one parameter is drawn from: numbers, or choices when there are any. */
  private record Range(
      boolean whole, boolean log, double step, double low, double high, JsonNode choices) {
    boolean like(Range other) {
      return whole == other.whole
          && log == other.log
          && step == other.step
          && choices.equals(other.choices);
    }

    Range with(Range other) {
      return new Range(
          whole, log, step, Math.min(low, other.low), Math.max(high, other.high), choices);
    }
  }

  /**
   * Takes one parameter of a trial.
   *
   * @param place of the parameter, for messages
   * @return its value as a trial would be told
   * @throws CommandFailure refused, for what is no distribution or contradicts an earlier trial
   */
  JsonNode add(String place, String name, double value, String distribution) {
    Range range = range(place, distribution);
    Range before = ranges.get(name);
    if (before != null && !before.like(range)) {
      throw CommandFailure.refused(
          place + ": its distribution is of another kind than in earlier trials: " + distribution);
    }
    ranges.put(name, before == null ? range : before.with(range));
    if (!range.choices().isEmpty()) {
      if (value != Math.rint(value) || value < 0 || value >= range.choices().size()) {
        throw CommandFailure.refused(
            "%s: choice %s of %d, which are numbered from 0"
                .formatted(place, value, range.choices().size()));
      }
      return range.choices().get((int) value);
    }
    if (!(value >= range.low() && value <= range.high())) {
      throw CommandFailure.refused(
          "%s: %s lies outside of %s to %s".formatted(place, value, range.low(), range.high()));
    }
    return number(range, value);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** In the form of a configuration. */
  ObjectNode json() {
    ObjectNode space = MAKE.objectNode();
    ranges.forEach((name, range) -> space.set(name, parameter(name, range)));
    return space;
  }

  private static ObjectNode parameter(String name, Range range) {
    if (!range.choices().isEmpty()) {
      return typed("choice", range.choices());
    }
    ArrayNode bounds = MAKE.arrayNode().add(number(range, range.low()));
    if (range.low() == range.high()) {
      return typed("choice", bounds);
    }
    if (range.log()) {
      bounds.add(number(range, range.high()));
      return range.whole() ? typed("qloguniform", bounds.add(1)) : typed("loguniform", bounds);
    }
    if (range.step() == 0) {
      return typed("uniform", bounds.add(range.high()));
    }
    if (range.whole() && range.step() == 1) {
      return typed("randint", bounds.add((long) range.high() + 1));
    }
    double steps = range.low() / range.step();
    if (Math.abs(steps - Math.rint(steps)) <= NEAR) {
      return typed(
          "quniform", bounds.add(number(range, range.high())).add(number(range, range.step())));
    }
    long last = (long) Math.floor((range.high() - range.low()) / range.step() + NEAR);
    if (last >= MOST_CHOICES) {
      throw CommandFailure.refused(
          "parameter '%s' has %d steps of %s from %s, which no type of a space can say"
              .formatted(name, last, range.step(), range.low()));
    }
    for (long i = 1; i <= last; i++) {
      bounds.add(number(range, range.low() + i * range.step()));
    }
    return typed("choice", bounds);
  }

  private static ObjectNode typed(String type, JsonNode values) {
    return MAKE.objectNode().put("_type", type).set("_value", values);
  }

  private static JsonNode number(Range range, double value) {
    return range.whole() ? MAKE.numberNode((long) value) : MAKE.numberNode(value);
  }

  /** The names with {@code Uniform} are those of Optuna before version 3. */
  private static Range range(String place, String distribution) {
    JsonNode json;
    try {
      json = Json.parse(distribution);
    } catch (ProblemException e) {
      throw CommandFailure.refused(place + ": its distribution is no JSON: " + distribution);
    }
    JsonNode at = json.path("attributes");
    String name = json.path("name").asText();
    boolean log = at.path("log").asBoolean();
    return switch (name) {
      case "CategoricalDistribution" -> choices(place, at.path("choices"));
      case "FloatDistribution" -> numbers(place, at, false, log, at.path("step").asDouble(0));
      case "UniformDistribution" -> numbers(place, at, false, false, 0);
      case "LogUniformDistribution" -> numbers(place, at, false, true, 0);
      case "DiscreteUniformDistribution" ->
          numbers(place, at, false, false, at.path("q").asDouble(0));
      case "IntDistribution", "IntUniformDistribution" ->
          numbers(place, at, true, log, at.path("step").asDouble(1));
      case "IntLogUniformDistribution" -> numbers(place, at, true, true, 1);
      default ->
          throw CommandFailure.refused(
              "%s: '%s' is no distribution of Optuna that is known here".formatted(place, name));
    };
  }

  private static Range numbers(String place, JsonNode at, boolean whole, boolean log, double step) {
    double low = at.path("low").asDouble(Double.NaN);
    double high = at.path("high").asDouble(Double.NaN);
    if (!Double.isFinite(low) || !Double.isFinite(high) || low > high || step < 0) {
      throw CommandFailure.refused(place + ": its distribution has no range: " + at);
    }
    return new Range(whole, log, step, low, high, MAKE.arrayNode());
  }

  private static Range choices(String place, JsonNode choices) {
    if (choices.isEmpty() || choices.size() > MOST_CHOICES) {
      throw CommandFailure.refused(
          "%s: it has %d choices; 1 to %d can be taken"
              .formatted(place, choices.size(), MOST_CHOICES));
    }
    return new Range(false, false, 0, 0, 0, choices);
  }
}
