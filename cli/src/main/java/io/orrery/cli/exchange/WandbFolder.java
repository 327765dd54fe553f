package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder with a directory for each run of Weights &amp; Biases, as {@code wandb} leaves it on the
 * machine of the run and as its API gives it: {@code config.yaml}, {@code wandb-summary.json},
 * {@code wandb-metadata.json}, and the points as {@code wandb-history.jsonl}. The files may lie in
 * {@code files} of the directory.
 */
final class WandbFolder {
  private static final String CONFIG = "config.yaml";
  private static final String SUMMARY = "wandb-summary.json";
  private static final String HISTORY = "wandb-history.jsonl";
  private static final String METADATA = "wandb-metadata.json";

  private final Path folder;
  private final ForeignFiles foreign;

  /**
   * @param foreign how it is read; unused for one that is written
   */
  WandbFolder(Path folder, ForeignFiles foreign) {
    this.folder = folder;
    this.foreign = foreign;
  }

  /**
   * The directories of runs.
   *
   * @throws CommandFailure refused, when there are none
   */
  List<Path> runs() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : foreign.directories(folder)) {
      if (files(each) != null) {
        found.add(each);
      }
    }
    if (found.isEmpty()) {
      throw CommandFailure.refused(
          "%s holds no run: each has a directory with %s or %s".formatted(folder, CONFIG, SUMMARY));
    }
    return found;
  }

  /** The directory of the files of a run; null when it is none. */
  private @Nullable Path files(Path run) throws IOException {
    for (Path each : List.of(run, run.resolve("files"))) {
      if (foreign.isDirectory(each)
          && (foreign.isFile(each.resolve(CONFIG)) || foreign.isFile(each.resolve(SUMMARY)))) {
        return each;
      }
    }
    return null;
  }

  ForeignRun read(Path directory) throws IOException {
    Path found = files(directory);
    Path files = found == null ? directory : found;
    JsonNode metadata = document(files.resolve(METADATA));
    JsonNode summary = document(files.resolve(SUMMARY));
    Instant started = time(metadata.path("startedAt").asText());
    if (started == null) {
      started = Files.getLastModifiedTime(files).toInstant();
    }
    List<ForeignRun.Point> points = history(files.resolve(HISTORY), started);
    if (points.isEmpty()) {
      long step = summary.path("_step").asLong();
      Instant at = seconds(summary.path("_timestamp"), started);
      numbers("", summary)
          .forEach((key, value) -> points.add(new ForeignRun.Point(key, value, step, at)));
    }
    Instant ended =
        summary.has("_runtime")
            ? started.plusMillis((long) (1000 * summary.get("_runtime").asDouble()))
            : points.stream().map(ForeignRun.Point::time).max(Instant::compareTo).orElse(started);
    String id = directory.getFileName().toString();
    return new ForeignRun(
        id,
        id.substring(id.lastIndexOf('-') + 1),
        ForeignRun.FINISHED,
        started,
        ended,
        config(document(files.resolve(CONFIG))),
        tags(metadata),
        points,
        null);
  }

  private static Map<String, String> tags(JsonNode metadata) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String key : List.of("program", "host", "username", "gpu")) {
      if (metadata.path(key).isTextual()) {
        tags.put("wandb." + key, metadata.get(key).asText());
      }
    }
    return tags;
  }

  private static Map<String, String> config(JsonNode config) {
    Map<String, String> params = new LinkedHashMap<>();
    config
        .properties()
        .forEach(each -> {
          JsonNode value = each.getValue();
          if (!each.getKey().startsWith("_wandb") && !each.getKey().equals("wandb_version")) {
            JsonNode plain = value.has("value") ? value.get("value") : value;
            params.put(each.getKey(), plain.isValueNode() ? plain.asText() : plain.toString());
          }
        });
    return params;
  }

  private List<ForeignRun.Point> history(Path file, Instant started) throws IOException {
    List<ForeignRun.Point> points = new ArrayList<>();
    if (!foreign.isFile(file)) {
      return points;
    }
    long number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line; (line = lines.readLine()) != null; number++) {
        JsonNode row = parsed(file, line);
        long step = row.path("_step").asLong(number);
        Instant at = seconds(row.path("_timestamp"), started);
        numbers("", row)
            .forEach((key, value) -> points.add(new ForeignRun.Point(key, value, step, at)));
      }
    }
    return points;
  }

  /** The numbers by their paths, without those of wandb itself. */
  private static Map<String, Double> numbers(String prefix, JsonNode object) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    object
        .properties()
        .forEach(each -> {
          JsonNode value = each.getValue();
          String key = prefix + each.getKey();
          if (each.getKey().startsWith("_")) {
            return;
          }
          if (value.isNumber()
              || List.of("NaN", "Infinity", "-Infinity").contains(value.asText())) {
            numbers.put(key, ArchivedExperiment.number(value));
          } else if (value.isObject() && !value.has("_type")) {
            numbers.putAll(numbers(key + "/", value));
          }
        });
    return numbers;
  }

  private static Instant seconds(JsonNode at, Instant otherwise) {
    return at.isNumber() ? Instant.ofEpochMilli((long) (1000 * at.asDouble())) : otherwise;
  }

  private static @Nullable Instant time(String text) {
    try {
      return text.isEmpty()
          ? null
          : text.endsWith("Z")
              ? Instant.parse(text)
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private JsonNode document(Path file) throws IOException {
    return foreign.isFile(file)
        ? parsed(file, Files.readString(file))
        : JsonNodeFactory.instance.objectNode();
  }

  private static JsonNode parsed(Path file, String text) {
    try {
      return Document.readCore(text).root();
    } catch (ProblemException e) {
      throw CommandFailure.refused(file + ": " + e.getMessage());
    }
  }

  /** Writes a directory for each trial; the number of them. */
  long write(ArchivedExperiment experiment) throws IOException {
    Files.createDirectories(folder);
    long[] runs = {0};
    experiment.forEach(trial -> {
      write(experiment.id(), experiment.run(trial));
      runs[0]++;
    });
    return runs[0];
  }

  private void write(String experiment, ForeignRun run) throws IOException {
    Path directory = folder.resolve("run-" + experiment + "-" + run.name());
    if (Files.exists(directory)) {
      throw CommandFailure.refused(directory + " is there already");
    }
    Path files = Files.createDirectories(directory.resolve("files"));
    JsonNodeFactory make = JsonNodeFactory.instance;
    ObjectNode config = make.objectNode().put("wandb_version", 1);
    run.params()
        .forEach((name, value) -> config.putObject(name).putNull("desc").put("value", value));
    Files.writeString(files.resolve(CONFIG), config.toPrettyString() + "\n");
    ObjectNode metadata = make.objectNode().put("startedAt", run.started().toString());
    Files.writeString(files.resolve(METADATA), metadata + "\n");
    Map<Long, ObjectNode> rows = new TreeMap<>();
    ObjectNode summary = make.objectNode();
    for (ForeignRun.Point point : run.points()) {
      double at = point.time().toEpochMilli() / 1000.0;
      put(
          rows.computeIfAbsent(point.step(), step -> make.objectNode().put("_step", step)),
          at,
          point);
      put(summary, at, point);
      summary.put("_step", point.step());
    }
    Instant ended = run.ended();
    if (ended != null) {
      summary.put("_runtime", (ended.toEpochMilli() - run.started().toEpochMilli()) / 1000.0);
    }
    Files.writeString(files.resolve(SUMMARY), Json.write(summary) + "\n");
    try (BufferedWriter history = Files.newBufferedWriter(files.resolve(HISTORY))) {
      for (ObjectNode row : rows.values()) {
        history.write(Json.write(row));
        history.write('\n');
      }
    }
  }

  private static void put(ObjectNode row, double at, ForeignRun.Point point) {
    row.put("_timestamp", at);
    if (Double.isFinite(point.value())) {
      row.put(point.key(), point.value());
    } else {
      row.put(point.key(), Double.toString(point.value()));
    }
  }
}
