package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Compares two runs: parameters, values, artifacts, statuses, and how long their steps took. */
final class RunDifferences {
  private static final int DIGEST = 12;

  private RunDifferences() {}

  /** A line for each thing that either run has: what it is, and what it is in both. */
  static ArrayNode of(JsonNode left, JsonNode right) {
    Map<String, String> one = facts(left);
    Map<String, String> other = facts(right);
    Set<String> names = new LinkedHashSet<>(one.keySet());
    names.addAll(other.keySet());
    ArrayNode lines = JsonNodeFactory.instance.arrayNode();
    for (String name : names) {
      ObjectNode line = lines.addObject();
      line.put("what", name);
      line.put("left", one.get(name));
      line.put("right", other.get(name));
      line.put("same", one.containsKey(name) && one.get(name).equals(other.get(name)));
    }
    return lines;
  }

  static void print(Session session, JsonNode left, JsonNode right, boolean all) {
    Table table =
        new Table(
            Column.text(""),
            Column.text("WHAT"),
            Column.text(left.path("id").asText()),
            Column.text(right.path("id").asText()));
    for (JsonNode line : of(left, right)) {
      boolean same = line.path("same").asBoolean();
      if (all || !same) {
        table.row(
            same ? "" : "*",
            line.path("what").asText(),
            line.path("left").asText("-"),
            line.path("right").asText("-"));
      }
    }
    table.print(session.terminal());
  }

  private static Map<String, String> facts(JsonNode run) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("pipeline", run.path("pipeline").asText());
    facts.put("version", run.path("version").asText());
    facts.put("status", run.path("status").asText());
    run.path("parameters")
        .properties()
        .forEach(entry ->
            facts.put(
                "parameter " + entry.getKey(),
                entry.getValue().isTextual()
                    ? entry.getValue().textValue()
                    : entry.getValue().toString()));
    facts.put("took", took(run));
    for (JsonNode step : run.path("steps")) {
      String name = step.path("name").asText();
      facts.put(name + " status", step.path("status").asText());
      facts.put(name + " took", took(step));
      step.path("outputs")
          .properties()
          .forEach(entry -> {
            JsonNode output = entry.getValue();
            String digest = output.path("digest").asText("");
            facts.put(
                name + "." + entry.getKey(),
                output.path("value").isTextual()
                    ? output.path("value").textValue()
                    : "sha256:" + digest.substring(0, Math.min(DIGEST, digest.length())));
          });
    }
    return facts;
  }

  private static String took(JsonNode timed) {
    if (!timed.path("startedAt").isTextual() || !timed.path("endedAt").isTextual()) {
      return "-";
    }
    Duration time =
        Duration.between(
            Instant.parse(timed.path("startedAt").textValue()),
            Instant.parse(timed.path("endedAt").textValue()));
    return "%d.%01d s".formatted(time.toSeconds(), time.toMillisPart() / 100);
  }
}
