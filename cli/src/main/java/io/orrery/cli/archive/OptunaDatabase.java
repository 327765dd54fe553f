package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.core.digest.Sha256;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.SqliteFile;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.TrialStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A database of Optuna's studies. Its tables are those of version 3; of version 2 it has those that
 * are alike. One study with one objective becomes an experiment that has ended.
 */
final class OptunaDatabase {
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private static final long MOST_TRIALS = 100_000;
  private static final long MOST_POINTS = 1_000_000;

  /** The command of the trials: a study has none, and says so when it is resumed. */
  private static final String NO_COMMAND = "echo 'this study came without a command' >&2; exit 1";

  private final Path file;
  private final ZoneId zone;

  /**
   * Names a file.
   *
   * @param zone where Optuna ran: its times are those of the clock on the wall
   */
  OptunaDatabase(Path file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  private record Study(long id, String name) {}

  private record Trial(
      long id, long number, String state, @Nullable Instant started, @Nullable Instant ended) {}

  private record Parameter(long trial, String name, double value, String distribution) {}

  private record Point(long trial, long step, JsonNode value) {}

  /**
   * Makes an archive of the API.
   *
   * @param wanted the study's name; null for the only one
   * @param code where the code of further trials lies
   * @throws CommandFailure refused, when there is no such study or it cannot be had here
   */
  String archive(@Nullable String wanted, Path code) throws IOException {
    try (SqliteFile database = SqliteFile.open(file)) {
      return archive(database, study(database, wanted), code);
    } catch (IllegalStateException | DateTimeException e) {
      throw new IOException(file + " holds no study that Optuna wrote: " + e.getMessage(), e);
    }
  }

  private static Study study(SqliteFile database, @Nullable String wanted) throws IOException {
    List<Study> studies =
        database.read(
            "select study_id, study_name from studies order by study_id",
            row -> new Study(row.integer("study_id"), row.text("study_name")));
    String names =
        studies.stream().limit(20).map(Study::name).collect(Collectors.joining("', '", "'", "'"));
    if (wanted != null) {
      return studies.stream()
          .filter(study -> study.name().equals(wanted))
          .findFirst()
          .orElseThrow(() ->
              CommandFailure.refused("there is no study '%s' among %s".formatted(wanted, names)));
    }
    if (studies.size() != 1) {
      throw CommandFailure.refused(
          studies.isEmpty()
              ? "the database holds no study"
              : "the database holds %d studies; name one by --study: %s"
                  .formatted(studies.size(), names));
    }
    return studies.getFirst();
  }

  private String archive(SqliteFile database, Study study, Path code) throws IOException {
    String ofStudy = " where study_id = " + study.id();
    String ofTrials = " where trial_id in (select trial_id from trials" + ofStudy + ")";
    String mode = mode(database, study, ofStudy);
    limit(database, study, "trials" + ofStudy, MOST_TRIALS, "trials");
    limit(
        database,
        study,
        "trial_intermediate_values" + ofTrials,
        MOST_POINTS,
        "intermediate values");
    List<Trial> trials =
        database.read(
            "select trial_id, number, state, datetime_start, datetime_complete from trials"
                + ofStudy
                + " and state <> 'WAITING' order by number",
            this::trial);
    Map<Long, List<Parameter>> parameters =
        database
            .read(
                "select trial_id, param_name, param_value, distribution_json from trial_params"
                    + ofTrials
                    + " order by param_id",
                row ->
                    new Parameter(
                        row.integer("trial_id"),
                        row.text("param_name"),
                        real(row, "param_value"),
                        row.text("distribution_json")))
            .stream()
            .collect(Collectors.groupingBy(Parameter::trial));
    Map<Long, JsonNode> results =
        database
            .read(
                "select trial_id, 0 as step, value as number, value_type as kind from trial_values"
                    + ofTrials,
                OptunaDatabase::point)
            .stream()
            .collect(Collectors.toMap(Point::trial, Point::value, (first, second) -> first));
    Map<Long, List<Point>> points =
        database
            .read(
                "select trial_id, step, intermediate_value as number, intermediate_value_type as"
                    + " kind from trial_intermediate_values"
                    + ofTrials
                    + " order by step",
                OptunaDatabase::point)
            .stream()
            .collect(Collectors.groupingBy(Point::trial));
    OptunaSpace space = new OptunaSpace();
    StringBuilder lines = new StringBuilder();
    for (Trial trial : trials) {
      ObjectNode values = MAKE.objectNode();
      for (Parameter one : parameters.getOrDefault(trial.id(), List.of())) {
        String place = "trial %d, parameter '%s'".formatted(trial.number(), one.name());
        values.set(one.name(), space.add(place, one.name(), one.value(), one.distribution()));
      }
      lines
          .append(
              line(
                  trial,
                  values,
                  results.get(trial.id()),
                  points.getOrDefault(trial.id(), List.of())))
          .append('\n');
    }
    if (space.isEmpty()) {
      throw CommandFailure.refused(
          "study '%s' has no trial with a parameter".formatted(study.name()));
    }
    return head(study, trials, space.json(), mode, code).toString() + '\n' + lines;
  }

  private static String mode(SqliteFile database, Study study, String ofStudy) throws IOException {
    List<String> directions =
        database.read(
            "select direction from study_directions" + ofStudy + " order by objective",
            row -> row.text("direction"));
    if (directions.size() != 1) {
      throw CommandFailure.refused(
          "study '%s' has %d objectives; a study with one can be taken"
              .formatted(study.name(), directions.size()));
    }
    return directions.getFirst().equals("MAXIMIZE") ? "maximize" : "minimize";
  }

  private static void limit(SqliteFile database, Study study, String rows, long most, String what)
      throws IOException {
    long count =
        database.read("select count(*) as n from " + rows, row -> row.integer("n")).getFirst();
    if (count > most) {
      throw CommandFailure.refused(
          "study '%s' has %,d %s; at most %,d can be taken"
              .formatted(study.name(), count, what, most));
    }
  }

  private Trial trial(Row row) {
    return new Trial(
        row.integer("trial_id"),
        row.integer("number"),
        row.text("state"),
        time(row.textOrNull("datetime_start")),
        time(row.textOrNull("datetime_complete")));
  }

  private @Nullable Instant time(@Nullable String text) {
    return text == null
        ? null
        : LocalDateTime.parse(text.replace(' ', 'T')).atZone(zone).toInstant();
  }

  private static Point point(Row row) {
    JsonNode value =
        switch (row.text("kind")) {
          case "INF_POS" -> MAKE.textNode("Infinity");
          case "INF_NEG" -> MAKE.textNode("-Infinity");
          case "NAN" -> MAKE.textNode("NaN");
          default -> MAKE.numberNode(real(row, "number"));
        };
    return new Point(row.integer("trial_id"), row.integer("step"), value);
  }

  private static double real(Row row, String column) {
    Double value = row.realOrNull(column);
    if (value == null) {
      throw new IllegalStateException("column " + column + " is null");
    }
    return value;
  }

  private ObjectNode head(
      Study study, List<Trial> trials, ObjectNode space, String mode, Path code) {
    Instant first =
        trials.stream()
            .map(Trial::started)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(Instant.EPOCH);
    Instant last =
        trials.stream()
            .map(Trial::ended)
            .filter(Objects::nonNull)
            .max(Instant::compareTo)
            .orElse(first);
    ObjectNode config =
        MAKE.objectNode()
            .put("experimentName", study.name())
            .put("trialCommand", NO_COMMAND)
            .put("trialCodeDirectory", code.toString())
            .put("trialConcurrency", 1)
            .put("maxTrialNumber", Math.max(1, trials.size()));
    config.set("searchSpace", space);
    config.putObject("tuner").put("name", "TPE").putObject("classArgs").put("optimize_mode", mode);
    config.putObject("trainingService").put("platform", "local");
    ObjectNode head =
        MAKE.objectNode()
            .put("format", "orrery-experiment/1")
            .put("id", Sha256.hex(study.name() + "\n" + first, 4))
            .put("status", "DONE")
            .put("executionSeconds", Math.max(0, last.getEpochSecond() - first.getEpochSecond()))
            .put("createdAt", first.toString())
            .put("startedAt", first.toString())
            .put("endedAt", last.toString());
    return head.set("config", config);
  }

  private static ObjectNode line(
      Trial trial, ObjectNode values, @Nullable JsonNode result, List<Point> points) {
    TrialStatus status =
        switch (trial.state()) {
          case "COMPLETE" -> TrialStatus.SUCCEEDED;
          case "PRUNED" -> TrialStatus.EARLY_STOPPED;
          case "FAIL" -> TrialStatus.FAILED;
          default -> TrialStatus.SYS_CANCELED;
        };
    Instant started =
        Objects.requireNonNullElse(
            trial.started(), Objects.requireNonNullElse(trial.ended(), Instant.EPOCH));
    Instant ended = Objects.requireNonNullElse(trial.ended(), started);
    ObjectNode json =
        MAKE.objectNode()
            .put("id", "optuna-" + trial.number())
            .put("sequenceId", trial.number())
            .put("status", status.name())
            .put("attempt", 1)
            .put("createdAt", started.toString())
            .put("startedAt", started.toString())
            .put("endedAt", ended.toString())
            .put("reason", "it ran in Optuna, where its state was " + trial.state());
    json.putArray("parameters")
        .addObject()
        .put("parameter_id", trial.number())
        .put("parameter_source", ParameterSource.IMPORTED.text())
        .put("parameter_index", 0)
        .set("parameters", values);
    ArrayNode list = json.putArray("points");
    for (int i = 0; i < points.size(); i++) {
      add(list, trial, "intermediate", i, started, points.get(i).value());
    }
    if (result != null) {
      add(list, trial, "final", 0, ended, result);
      json.set("metric", result);
    }
    return json;
  }

  private static void add(
      ArrayNode points, Trial trial, String kind, int sequence, Instant time, JsonNode value) {
    points
        .addObject()
        .put("kind", kind)
        .put("sequence", sequence)
        .put("time", time.toEpochMilli())
        .put("parameterId", Long.toString(trial.number()))
        .set("value", value);
  }
}
