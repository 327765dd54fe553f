package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.SqliteFile;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.TrialStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database of an experiment that NNI ran. It holds events, from which the trials are put
 * together again: the last status of each, and every metric. Results from elsewhere that a user
 * told NNI's tuner follow them, each as a trial of its own: so they are told to our tuner.
 */
final class NniDatabase {
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private final Path file;

  NniDatabase(Path file) {
    this.file = file;
  }

  /** A row of the table of events. */
  private record Event(
      long time, String trial, String event, @Nullable String data, @Nullable Long sequence) {}

  /** How the names of platforms' sections end. */
  private static final String SECTION = "_config";

  /** A row of the table of metrics. */
  private record Metric(
      long time,
      String trial,
      @Nullable String parameter,
      String type,
      long sequence,
      String data) {}

  /** A trial while its events are read. */
  private static final class TrialHistory {
    final List<JsonNode> records = new ArrayList<>();
    final List<Metric> metrics = new ArrayList<>();
    @Nullable Long sequence;
    TrialStatus status = TrialStatus.WAITING;
    long created;
    @Nullable Long started;
    @Nullable Long ended;
  }

  /**
   * As an archive of the API.
   *
   * @param code where the trials' code lies now, null for where it was
   */
  String archive(@Nullable Path code) throws IOException {
    try (SqliteFile database = SqliteFile.open(file)) {
      ObjectNode head = head(database, code);
      Map<String, TrialHistory> trials = courses(database);
      database
          .read(
              "select timestamp, trialJobId, parameterId, type, sequence, data from MetricData"
                  + " order by rowid",
              row ->
                  new Metric(
                      row.integer("timestamp"),
                      row.text("trialJobId"),
                      row.textOrNull("parameterId"),
                      row.text("type"),
                      row.integer("sequence"),
                      row.text("data")))
          .forEach(metric -> {
            TrialHistory course = trials.get(metric.trial());
            if (course != null) {
              course.metrics.add(metric);
            }
          });
      StringBuilder lines = new StringBuilder(head.toString()).append('\n');
      long next = 0;
      for (Map.Entry<String, TrialHistory> trial : trials.entrySet()) {
        TrialHistory course = trial.getValue();
        // Early versions numbered no trials.
        long sequence = course.sequence == null ? next : course.sequence;
        next = Math.max(next, sequence) + 1;
        lines.append(trial(trial.getKey(), sequence, course)).append('\n');
      }
      for (ObjectNode imported : imported(database)) {
        imported.put("id", "imported-" + next).put("sequenceId", next++);
        lines.append(imported).append('\n');
      }
      return lines.toString();
    }
  }

  private ObjectNode head(SqliteFile database, @Nullable Path code) throws IOException {
    List<ObjectNode> profiles;
    try {
      profiles =
          database.read(
              "select params, id, execDuration, startTime, endTime from ExperimentProfile"
                  + " order by revision desc limit 1",
              NniDatabase::profile);
    } catch (ProblemException | UnsupportedOperationException e) {
      throw new IOException(file + " holds no configuration that NNI wrote: " + e.getMessage(), e);
    }
    if (profiles.isEmpty()) {
      throw new IOException(file + " holds no experiment: it was never started");
    }
    ObjectNode head = profiles.getFirst();
    if (code != null) {
      CodeFolder.move(head.withObjectProperty("config"), code);
    }
    return head;
  }

  private static ObjectNode profile(Row row) {
    Long started = row.integerOrNull("startTime");
    Long ended = row.integerOrNull("endTime");
    ObjectNode head =
        MAKE.objectNode()
            .put("format", "orrery-experiment/1")
            .put("id", row.text("id"))
            .put("status", ended == null ? "STOPPED" : "DONE")
            .put(
                "executionSeconds",
                Objects.requireNonNullElse(row.integerOrNull("execDuration"), 0L))
            .put("createdAt", time(started == null ? 0 : started))
            .put("startedAt", started == null ? null : time(started))
            .put("endedAt", ended == null ? null : time(ended));
    return head.set("config", config(Json.parse(row.text("params"))));
  }

  /** A profile of before NNI 2 has seconds for a duration and the search space as text. */
  private static JsonNode config(JsonNode params) {
    if (!(params instanceof ObjectNode config) || !config.has("trainingServicePlatform")) {
      return params;
    }
    for (JsonNode piece : config.path("clusterMetaData")) {
      switch (piece.path("key").asText()) {
        case "codeDir", "command" ->
            config.withObjectProperty("trial").set(piece.path("key").asText(), piece.path("value"));
        case "trial_config" -> config.set("trial", parsed(piece.path("value")));
        case "machine_list" -> config.set("machineList", parsed(piece.path("value")));
        case "shared_storage_config" -> config.set("sharedStorage", parsed(piece.path("value")));
        case "nni_manager_ip" -> {
          JsonNode ip = parsed(piece.path("value")).path("nniManagerIp");
          if (ip.isTextual()) {
            config.set("nniManagerIp", ip);
          }
        }
        default -> platform(piece.path("key").asText(), piece.path("value"), config);
      }
    }
    config.remove("clusterMetaData");
    for (String algorithm : List.of("tuner", "assessor", "advisor")) {
      if (config.path(algorithm) instanceof ObjectNode section) {
        // NNI's manager noted there where it kept its files.
        section.remove("checkpointDir");
      }
    }
    if (config.path("maxExecDuration").isNumber()) {
      config.put("maxExecDuration", config.get("maxExecDuration").asText() + "s");
    }
    config.set("searchSpace", parsed(config.path("searchSpace")));
    return config;
  }

  /** Such as {@code kubeflow_config}, which is {@code kubeflowConfig} in a configuration. */
  private static void platform(String key, JsonNode value, ObjectNode config) {
    if (key.endsWith(SECTION)) {
      config.set(key.substring(0, key.length() - SECTION.length()) + "Config", parsed(value));
    }
  }

  private static JsonNode parsed(JsonNode value) {
    return value.isTextual() ? Json.parse(value.textValue()) : value;
  }

  private static Map<String, TrialHistory> courses(SqliteFile database) throws IOException {
    Map<String, TrialHistory> courses = new LinkedHashMap<>();
    database
        .read(
            "select timestamp, trialJobId, event, data, sequenceId from TrialJobEvent"
                + " order by rowid",
            row ->
                new Event(
                    row.integer("timestamp"),
                    Objects.requireNonNullElse(row.textOrNull("trialJobId"), ""),
                    row.text("event"),
                    row.textOrNull("data"),
                    row.integerOrNull("sequenceId")))
        .stream()
        .filter(event -> !event.trial().isEmpty())
        .forEach(event ->
            replay(courses.computeIfAbsent(event.trial(), id -> new TrialHistory()), event));
    // What only has a parameter that was thought of never became a trial.
    courses.values().removeIf(course -> course.records.isEmpty());
    return courses;
  }

  private static void replay(TrialHistory course, Event event) {
    if (course.created == 0) {
      course.created = event.time();
    }
    if (event.sequence() != null) {
      course.sequence = event.sequence();
    }
    parameterRecord(event.data())
        .ifPresent(record -> {
          if (!course.records.contains(record)) {
            course.records.add(record);
          }
        });
    for (TrialStatus status : TrialStatus.values()) {
      if (status.name().equals(event.event())) {
        course.status = status;
        if (status == TrialStatus.RUNNING && course.started == null) {
          course.started = event.time();
        }
        if (status.isFinal()) {
          course.ended = event.time();
        }
      }
    }
  }

  /** The parameter record that some events carry. */
  private static Optional<JsonNode> parameterRecord(@Nullable String data) {
    if (data == null || data.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Json.parse(data)).filter(json -> json.has("parameters"));
    } catch (ProblemException e) {
      return Optional.empty();
    }
  }

  /** The results that were imported, as trials without a name. */
  private static List<ObjectNode> imported(SqliteFile database) throws IOException {
    List<ObjectNode> trials = new ArrayList<>();
    database
        .read(
            "select timestamp, data from TrialJobEvent where event = 'IMPORT_DATA' order by rowid",
            row -> new Import(row.integer("timestamp"), row.textOrNull("data")))
        .forEach(event -> {
          for (JsonNode result : event.results()) {
            JsonNode value = value(result.path("value").toString());
            if (value != null && result.path("parameter").isObject()) {
              trials.add(imported(event.time(), result.path("parameter"), value));
            }
          }
        });
    return trials;
  }

  /** An import: a list of results, as it was posted. */
  private record Import(long time, @Nullable String data) {
    JsonNode results() {
      try {
        return data == null ? MAKE.arrayNode() : Json.parse(data);
      } catch (ProblemException notAList) {
        return MAKE.arrayNode();
      }
    }
  }

  private static ObjectNode imported(long time, JsonNode parameters, JsonNode value) {
    ObjectNode trial =
        MAKE.objectNode()
            .put("status", TrialStatus.SUCCEEDED.name())
            .put("attempt", 1)
            .put("createdAt", time(time))
            .put("endedAt", time(time))
            .put("reason", "its result was imported: it did not run here");
    trial
        .putArray("parameters")
        .addObject()
        .put("parameter_source", ParameterSource.IMPORTED.text())
        .set("parameters", parameters);
    return trial.set("metric", value);
  }

  private static ObjectNode trial(String id, long sequence, TrialHistory course) {
    ObjectNode json =
        MAKE.objectNode()
            .put("id", id)
            .put("sequenceId", sequence)
            .put("status", course.status.name())
            .put("attempt", 1)
            .put("createdAt", time(course.created))
            .put("startedAt", course.started == null ? null : time(course.started))
            .put("endedAt", course.ended == null ? null : time(course.ended));
    ArrayNode records = json.putArray("parameters");
    course.records.forEach(records::add);
    ArrayNode points = json.putArray("points");
    for (Metric metric : course.metrics) {
      JsonNode value = value(metric.data());
      if (value == null) {
        continue;
      }
      boolean last = metric.type().equals("FINAL");
      if (!last && !metric.type().equals("PERIODICAL")) {
        continue;
      }
      ObjectNode point = points.addObject();
      point
          .put("kind", last ? "final" : "intermediate")
          .put("sequence", metric.sequence())
          .put("time", metric.time())
          .put("parameterId", metric.parameter())
          .set("value", value);
      if (last) {
        json.set("metric", value);
      }
    }
    return json;
  }

  /** JSON text in JSON text, or once only as version 0 wrote it; null for what is no metric. */
  private static @Nullable JsonNode value(String data) {
    try {
      JsonNode value = parsed(Json.parse(data));
      if (value.isObject()) {
        return value;
      }
      if (!value.isNumber()) {
        return null;
      }
      double number = value.doubleValue();
      return Double.isFinite(number) ? value : MAKE.textNode(Double.toString(number));
    } catch (ProblemException e) {
      return null;
    }
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
