package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.json.Json;
import io.orrery.core.run.StepOutput;
import io.orrery.gateway.http.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two runs: their parameters, the metrics and values of their steps, how long they took,
 * and their artifacts by digest.
 */
final class RunComparison {
  /** The kind of a fact of a run. */
  private enum Kind {
    RUN,
    PARAMETER,
    STATUS,
    DURATION,
    /** A value that is a number. */
    METRIC,
    VALUE,
    ARTIFACT
  }

  /** A fact that both runs may have. */
  private record Key(@Nullable String step, String name) {}

  private record Fact(Kind kind, JsonNode value) {}

  private RunComparison() {}

  /** A line for each fact that either run has. */
  static ObjectNode of(RunView left, RunView right) {
    Map<Key, Fact> one = facts(left);
    Map<Key, Fact> other = facts(right);
    Set<Key> keys = new LinkedHashSet<>(one.keySet());
    keys.addAll(other.keySet());
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("left", left.run().id().value())
            .put("right", right.run().id().value());
    ArrayNode lines = shape.putArray("lines");
    for (Key key : keys) {
      lines.add(line(key, one.get(key), other.get(key)));
    }
    return shape;
  }

  private static ObjectNode line(Key key, @Nullable Fact left, @Nullable Fact right) {
    Kind kind = kind(left, right);
    ObjectNode line =
        Json.MAPPER
            .createObjectNode()
            .put("kind", kind.name().toLowerCase(Locale.ROOT))
            .put("step", key.step())
            .put("name", key.name());
    JsonNode one = value(left);
    JsonNode other = value(right);
    line.set("left", one);
    line.set("right", other);
    line.put("same", one.equals(other));
    if (one.isNumber() && other.isNumber() && kind != Kind.RUN) {
      line.put("change", other.doubleValue() - one.doubleValue());
    } else {
      line.putNull("change");
    }
    return line;
  }

  /** A fact that is a number in one run only is a value in both. */
  private static Kind kind(@Nullable Fact left, @Nullable Fact right) {
    if (left == null || right == null) {
      return left != null ? left.kind() : right != null ? right.kind() : Kind.VALUE;
    }
    return left.kind() == right.kind() ? left.kind() : Kind.VALUE;
  }

  private static JsonNode value(@Nullable Fact fact) {
    return fact == null ? Json.MAPPER.nullNode() : fact.value();
  }

  private static Map<Key, Fact> facts(RunView view) {
    Run run = view.run();
    Map<Key, Fact> facts = new LinkedHashMap<>();
    facts.put(new Key(null, "pipeline"), new Fact(Kind.RUN, text(run.pipeline())));
    facts.put(new Key(null, "version"), new Fact(Kind.RUN, number(run.version())));
    facts.put(new Key(null, "status"), new Fact(Kind.STATUS, text(run.status().name())));
    facts.put(new Key(null, "duration"), took(run.startedAt(), run.endedAt()));
    Json.MAPPER
        .valueToTree(run.parameters())
        .properties()
        .forEach(entry ->
            facts.put(
                new Key(null, "parameters." + entry.getKey()),
                new Fact(Kind.PARAMETER, entry.getValue())));
    for (Step step : view.steps()) {
      facts.put(new Key(step.name(), "status"), new Fact(Kind.STATUS, text(step.status().name())));
      facts.put(new Key(step.name(), "duration"), took(step.startedAt(), step.endedAt()));
      for (StepOutput output : step.outputs()) {
        facts.put(new Key(step.name(), "outputs." + output.name()), fact(output));
      }
    }
    return facts;
  }

  private static Fact fact(StepOutput output) {
    String value = output.value();
    if (value == null) {
      return new Fact(Kind.ARTIFACT, text("sha256:" + output.digest()));
    }
    try {
      double number = Double.parseDouble(value.strip());
      if (Double.isFinite(number)) {
        return new Fact(Kind.METRIC, Json.MAPPER.getNodeFactory().numberNode(number));
      }
    } catch (NumberFormatException words) {
      // A value that is no number is shown as it is.
    }
    return new Fact(Kind.VALUE, text(value));
  }

  private static Fact took(@Nullable Instant from, @Nullable Instant to) {
    return new Fact(
        Kind.DURATION,
        Wire.seconds(from == null || to == null ? null : Duration.between(from, to)));
  }

  private static JsonNode text(String text) {
    return Json.MAPPER.getNodeFactory().textNode(text);
  }

  private static JsonNode number(int number) {
    return Json.MAPPER.getNodeFactory().numberNode(number);
  }
}
