package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A folder in which MLflow keeps experiments when it has no server, {@code mlruns}: a directory for
 * each experiment, and one in it for each run, with files for each parameter, tag and metric.
 */
final class MlflowFolder {
  private static final String META = "meta.yaml";
  private static final List<String> STATUSES =
      List.of("", "RUNNING", "SCHEDULED", ForeignRun.FINISHED, "FAILED", "KILLED");

  private final Path folder;
  private final ForeignFiles files;

  /**
   * @param files how it is read; unused for one that is written
   */
  MlflowFolder(Path folder, ForeignFiles files) {
    this.folder = folder;
    this.files = files;
  }

  /** An experiment of the folder. */
  record Found(String name, Path directory) {}

  /** Takes one run. */
  interface EachRun {
    void take(ForeignRun run) throws IOException;
  }

  // ---- reading -------------------------------------------------------------------------------

  /**
   * The experiments that were not deleted.
   *
   * @throws CommandFailure refused, when there are none
   */
  List<Found> experiments() throws IOException {
    List<Found> found = new ArrayList<>();
    for (Path directory : files.directories(folder)) {
      JsonNode meta = meta(directory);
      if (meta != null && meta.has("experiment_id") && isActive(meta)) {
        found.add(new Found(meta.path("name").asText(), directory));
      }
    }
    if (found.isEmpty()) {
      throw CommandFailure.refused(
          folder
              + " holds no experiment of MLflow: name the folder mlruns, with a directory for"
              + " each experiment and a meta.yaml in each");
    }
    return found;
  }

  /** Hands out the runs of an experiment that were not deleted. */
  void runs(Found experiment, EachRun taker) throws IOException {
    for (Path directory : files.directories(experiment.directory())) {
      JsonNode meta = meta(directory);
      if (meta != null && meta.has("run_id") && isActive(meta)) {
        taker.take(run(directory, meta));
      }
    }
  }

  private ForeignRun run(Path directory, JsonNode meta) throws IOException {
    Map<String, String> tags = texts(directory.resolve("tags"));
    String id = meta.path("run_id").asText();
    String name = meta.path("run_name").asText(tags.getOrDefault("mlflow.runName", id));
    JsonNode status = meta.path("status");
    Path artifacts = directory.resolve("artifacts");
    return new ForeignRun(
        id,
        name,
        status.isInt() && status.asInt() > 0 && status.asInt() < STATUSES.size()
            ? STATUSES.get(status.asInt())
            : status.asText(),
        Instant.ofEpochMilli(meta.path("start_time").asLong()),
        meta.path("end_time").isNumber()
            ? Instant.ofEpochMilli(meta.path("end_time").asLong())
            : null,
        texts(directory.resolve("params")),
        tags,
        points(directory.resolve("metrics")),
        files.isDirectory(artifacts) ? artifacts : null);
  }

  private Map<String, String> texts(Path directory) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Path file : files.below(directory)) {
      texts.put(key(directory, file), Files.readString(file));
    }
    return texts;
  }

  private List<ForeignRun.Point> points(Path directory) throws IOException {
    List<ForeignRun.Point> points = new ArrayList<>();
    for (Path file : files.below(directory)) {
      String key = key(directory, file);
      try {
        for (String line : Files.readAllLines(file)) {
          String[] parts = line.strip().split(" +");
          if (parts.length >= 2) {
            points.add(
                new ForeignRun.Point(
                    key,
                    number(parts[1]),
                    parts.length > 2 ? Long.parseLong(parts[2]) : 0,
                    Instant.ofEpochMilli(Long.parseLong(parts[0]))));
          }
        }
      } catch (NumberFormatException e) {
        throw CommandFailure.refused(
            file + " has a line that is no 'time value step': " + e.getMessage());
      }
    }
    return points;
  }

  private static double number(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  private static String key(Path directory, Path file) {
    return directory.relativize(file).toString();
  }

  private static boolean isActive(JsonNode meta) {
    return meta.path("lifecycle_stage").asText("active").equals("active");
  }

  private @Nullable JsonNode meta(Path directory) throws IOException {
    Path file = directory.resolve(META);
    if (!files.isFile(file)) {
      return null;
    }
    try {
      return Document.read(Files.readString(file)).root();
    } catch (ProblemException e) {
      throw CommandFailure.refused(file + ": " + e.getMessage());
    }
  }

  // ---- writing -------------------------------------------------------------------------------

  /** Writes an experiment into a folder, which may have others; the number of runs. */
  long write(ArchivedExperiment experiment) throws IOException {
    // MLflow takes names of digits alone for experiments.
    String number = Long.toString(Long.parseLong(Sha256.hex(experiment.id(), 7), 16));
    Path directory = folder.resolve(number);
    if (Files.exists(directory)) {
      throw CommandFailure.refused("experiment " + experiment.id() + " is in " + directory);
    }
    Files.createDirectories(directory);
    long created = experiment.created().toEpochMilli();
    ObjectNode meta =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifact_location", directory.toUri().toString())
            .put("creation_time", created)
            .put("experiment_id", number)
            .put("last_update_time", created)
            .put("lifecycle_stage", "active")
            .put("name", experiment.name() + "-" + experiment.id());
    // JSON is YAML.
    Files.writeString(directory.resolve(META), meta.toPrettyString() + "\n");
    long[] runs = {0};
    experiment.forEach(trial -> {
      write(directory, number, experiment.run(trial));
      runs[0]++;
    });
    return runs[0];
  }

  private static void write(Path experiment, String number, ForeignRun run) throws IOException {
    String id = Sha256.hex(run.id(), 16);
    Path directory = experiment.resolve(id);
    Files.createDirectories(directory.resolve("artifacts"));
    Instant ended = run.ended();
    ObjectNode meta =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifact_uri", directory.resolve("artifacts").toUri().toString())
            .put("end_time", ended == null ? null : ended.toEpochMilli())
            .put("entry_point_name", "")
            .put("experiment_id", number)
            .put("lifecycle_stage", "active")
            .put("run_id", id)
            .put("run_name", run.name())
            .put("run_uuid", id)
            .put("source_name", "")
            .put("source_type", 4)
            .put("source_version", "")
            .put("start_time", run.started().toEpochMilli())
            .put("status", STATUSES.indexOf(run.status()))
            .put("user_id", "");
    meta.putArray("tags");
    Files.writeString(directory.resolve(META), meta.toPrettyString() + "\n");
    put(directory.resolve("params"), run.params());
    put(directory.resolve("tags"), run.tags());
    Map<String, String> metrics = new LinkedHashMap<>();
    for (ForeignRun.Point point : run.points()) {
      metrics.merge(
          point.key(),
          "%d %s %d\n".formatted(point.time().toEpochMilli(), text(point.value()), point.step()),
          String::concat);
    }
    put(directory.resolve("metrics"), metrics);
  }

  private static String text(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isFinite(value) ? Double.toString(value) : value > 0 ? "inf" : "-inf";
  }

  private static void put(Path directory, Map<String, String> texts) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<String, String> each : texts.entrySet()) {
      Path file = directory.resolve(each.getKey()).normalize();
      if (!file.startsWith(directory) || file.equals(directory)) {
        throw CommandFailure.refused("'" + each.getKey() + "' cannot be the name of a file");
      }
      Files.createDirectories(file.getParent());
      Files.writeString(file, each.getValue());
    }
  }
}
