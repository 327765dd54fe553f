package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An experiment as the archive of the API has it, trial by trial. */
final class ArchivedExperiment {
  private final JsonNode head;
  private final Iterator<String> trials;

  private ArchivedExperiment(JsonNode head, Iterator<String> trials) {
    this.head = head;
    this.trials = trials;
  }

  /** Takes the trials of an experiment as they come. */
  interface Reader {
    void read(ArchivedExperiment experiment) throws IOException;
  }

  /** Takes one trial. */
  interface EachTrial {
    void take(JsonNode trial) throws IOException;
  }

  /** Reads the archive of an experiment. */
  static void read(Session session, String id, Reader reader) throws IOException {
    try (Stream<String> lines = session.api().lines(Resource.of("experiments", id, "archive"))) {
      Iterator<String> each = lines.iterator();
      if (!each.hasNext()) {
        throw CommandFailure.failed("the archive of experiment " + id + " is empty");
      }
      reader.read(new ArchivedExperiment(Json.parse(each.next()), each));
    }
  }

  String id() {
    return head.path("id").asText();
  }

  String name() {
    String name = head.path("config").path("experimentName").asText();
    return name.isEmpty() ? id() : name;
  }

  JsonNode space() {
    return head.path("config").path("searchSpace");
  }

  Instant created() {
    return Instant.parse(head.path("createdAt").asText());
  }

  /** Hands out all trials, once. */
  void forEach(EachTrial taker) throws IOException {
    while (trials.hasNext()) {
      String line = trials.next();
      if (!line.isBlank()) {
        taker.take(Json.parse(line));
      }
    }
  }

  /** The parameters that a trial was given last, those of chosen branches by their path. */
  static Map<String, JsonNode> parameters(JsonNode trial) {
    JsonNode sets = trial.path("parameters");
    Map<String, JsonNode> flat = new LinkedHashMap<>();
    if (!sets.isEmpty()) {
      flatten("", sets.get(sets.size() - 1).path("parameters"), flat);
    }
    return flat;
  }

  private static void flatten(String prefix, JsonNode values, Map<String, JsonNode> flat) {
    values
        .properties()
        .forEach(each -> {
          String name = prefix + each.getKey();
          JsonNode value = each.getValue();
          if (value.path("_name").isTextual()) {
            flat.put(name, value.get("_name"));
            flatten(name + ".", value, flat);
          } else if (!each.getKey().equals("_name")) {
            flat.put(name, value);
          }
        });
  }

  static @Nullable Instant time(JsonNode trial, String key) {
    JsonNode at = trial.path(key);
    return at.isTextual() ? Instant.parse(at.asText()) : null;
  }

  /** The number of a value that was reported, also of the words for what is not finite. */
  static double number(JsonNode value) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    return switch (value.asText()) {
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.NaN;
    };
  }

  /** The result of a trial as an object: numbers by their names. */
  static Map<String, Double> result(JsonNode trial) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (JsonNode point : trial.path("points")) {
      if (point.path("kind").asText().equals("final")) {
        numbers.clear();
        numbers.putAll(numbers(point.path("value")));
      }
    }
    return numbers;
  }

  private static Map<String, Double> numbers(JsonNode value) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    if (value.isObject()) {
      value
          .properties()
          .forEach(each -> {
            if (each.getValue().isNumber() || each.getValue().isTextual()) {
              numbers.put(each.getKey(), number(each.getValue()));
            }
          });
    } else {
      numbers.put("default", number(value));
    }
    return numbers;
  }

  /** A trial as trackers would have it: what is final has the step after all others. */
  ForeignRun run(JsonNode trial) {
    Instant started = time(trial, "startedAt");
    Instant created = Instant.parse(trial.path("createdAt").asText());
    Map<String, String> params = new LinkedHashMap<>();
    parameters(trial)
        .forEach((name, value) ->
            params.put(name, value.isValueNode() ? value.asText() : value.toString()));
    List<ForeignRun.Point> points = new ArrayList<>();
    long last = -1;
    for (JsonNode point : trial.path("points")) {
      boolean isLast = point.path("kind").asText().equals("final");
      long step = isLast ? last + 1 : point.path("sequence").asLong();
      last = Math.max(last, step);
      Instant time = Instant.ofEpochMilli(point.path("time").asLong());
      numbers(point.path("value"))
          .forEach((key, value) -> points.add(new ForeignRun.Point(key, value, step, time)));
    }
    String status =
        switch (trial.path("status").asText()) {
          case "SUCCEEDED", "EARLY_STOPPED" -> ForeignRun.FINISHED;
          case "FAILED" -> "FAILED";
          case "WAITING", "RUNNING" -> "RUNNING";
          default -> "KILLED";
        };
    return new ForeignRun(
        id() + "/" + trial.path("id").asText(),
        trial.path("id").asText(),
        status,
        started == null ? created : started,
        time(trial, "endedAt"),
        params,
        Map.of("orrery.trial", id() + "/" + trial.path("id").asText()),
        points,
        null);
  }
}
