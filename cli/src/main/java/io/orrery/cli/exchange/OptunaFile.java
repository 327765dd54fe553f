package io.orrery.cli.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.sql.SqliteWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A new SQLite file with a study, as Optuna 3.2 and later write it. Distributions are stored once
 * all trials are, because those of unbounded parameters depend on the values.
 */
final class OptunaFile {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS");
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private final SqliteWriter file;
  private final ZoneId zone;
  private final Map<String, Distribution> distributions = new LinkedHashMap<>();
  private long trials;

  private OptunaFile(SqliteWriter file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  /** An objective of a study. */
  record Objective(String metric, boolean maximize) {}

  /** A distribution that is widened by values that lie outside of it. */
  private static final class Distribution {
    final @Nullable ArrayNode choices;
    final boolean whole;
    final boolean log;
    double low;
    double high;

    Distribution(@Nullable ArrayNode choices, boolean whole, boolean log, double low, double high) {
      this.choices = choices;
      this.whole = whole;
      this.log = log;
      this.low = low;
      this.high = high;
    }

    /** The value as Optuna stores it. */
    double stored(JsonNode value) {
      ArrayNode all = choices;
      if (all == null) {
        double number = ArchivedExperiment.number(value);
        low = Math.min(low, number);
        high = Math.max(high, number);
        return number;
      }
      JsonNode choice = value.isValueNode() ? value : MAKE.textNode(value.toString());
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).equals(choice)) {
          return i;
        }
      }
      all.add(choice);
      return all.size() - 1;
    }

    String json() {
      ObjectNode attributes = MAKE.objectNode();
      if (choices != null) {
        attributes.set("choices", choices);
        return of("CategoricalDistribution", attributes);
      }
      attributes.put("log", log && low > 0);
      if (whole) {
        attributes.put("step", 1).put("low", (long) low).put("high", (long) high);
        return of("IntDistribution", attributes);
      }
      attributes.putNull("step").put("low", low).put("high", high);
      return of("FloatDistribution", attributes);
    }

    private static String of(String name, ObjectNode attributes) {
      ObjectNode json = MAKE.objectNode().put("name", name);
      return json.set("attributes", attributes).toString();
    }
  }

  /** Writes an experiment into a file that is not there yet; the number of trials. */
  static long write(
      Path target, ZoneId zone, ArchivedExperiment experiment, List<Objective> objectives)
      throws IOException {
    try (SqliteWriter file = SqliteWriter.create(target)) {
      OptunaFile optuna = new OptunaFile(file, zone);
      optuna.begin(experiment, objectives);
      experiment.forEach(trial -> optuna.add(trial, objectives));
      for (Map.Entry<String, Distribution> each : optuna.distributions.entrySet()) {
        file.run(
            "update trial_params set distribution_json = ? where param_name = ?",
            each.getValue().json(),
            each.getKey());
      }
      file.commit();
      return optuna.trials;
    }
  }

  private void begin(ArchivedExperiment experiment, List<Objective> objectives) throws IOException {
    try (InputStream schema =
        Objects.requireNonNull(OptunaFile.class.getResourceAsStream("optuna.sql"))) {
      for (String each :
          new String(schema.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*\n")) {
        if (!each.isBlank()) {
          file.run(each);
        }
      }
    }
    file.run(
        "insert into studies (study_id, study_name) values (1, ?)",
        experiment.name() + "-" + experiment.id());
    for (int i = 0; i < objectives.size(); i++) {
      file.run(
          "insert into study_directions (direction, study_id, objective) values (?, 1, ?)",
          objectives.get(i).maximize() ? "MAXIMIZE" : "MINIMIZE",
          i);
    }
    file.run(
        "insert into study_user_attributes (study_id, \"key\", value_json) values (1, ?, ?)",
        "orrery:experiment",
        MAKE.textNode(experiment.id()).toString());
    space("", experiment.space());
  }

  private void space(String prefix, JsonNode space) {
    space
        .properties()
        .forEach(each -> {
          String name = prefix + each.getKey();
          JsonNode values = each.getValue().path("_value");
          switch (each.getValue().path("_type").asText()) {
            case "choice" -> {
              ArrayNode choices = MAKE.arrayNode();
              for (JsonNode value : values) {
                if (value.path("_name").isTextual()) {
                  choices.add(value.get("_name"));
                  space(name + ".", value);
                } else {
                  choices.add(value.isValueNode() ? value : MAKE.textNode(value.toString()));
                }
              }
              distributions.put(name, new Distribution(choices, false, false, 0, 0));
            }
            case "randint" -> number(name, true, false, values, 1);
            case "uniform", "quniform" -> number(name, false, false, values, 0);
            case "loguniform", "qloguniform" -> number(name, false, true, values, 0);
            case "lognormal", "qlognormal" -> open(name, true);
            case "normal", "qnormal" -> open(name, false);
            default -> {}
          }
        });
  }

  private void number(String name, boolean whole, boolean log, JsonNode bounds, int off) {
    distributions.put(
        name,
        new Distribution(
            null, whole, log, bounds.path(0).asDouble(), bounds.path(1).asDouble() - off));
  }

  /** Begins a distribution without bounds, which come from the values. */
  private void open(String name, boolean log) {
    distributions.put(
        name,
        new Distribution(null, false, log, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
  }

  private void add(JsonNode trial, List<Objective> objectives) throws IOException {
    long id = ++trials;
    Map<String, Double> result = ArchivedExperiment.result(trial);
    file.run(
        "insert into trials (trial_id, number, study_id, state, datetime_start, datetime_complete)"
            + " values (?, ?, 1, ?, ?, ?)",
        id,
        id - 1,
        state(trial, result, objectives),
        time(ArchivedExperiment.time(trial, "startedAt")),
        time(ArchivedExperiment.time(trial, "endedAt")));
    file.run(
        "insert into trial_user_attributes (trial_id, \"key\", value_json) values (?, ?, ?)",
        id,
        "orrery:trial",
        trial.path("id").toString());
    for (Map.Entry<String, JsonNode> each : ArchivedExperiment.parameters(trial).entrySet()) {
      Distribution distribution =
          distributions.computeIfAbsent(
              each.getKey(), added -> new Distribution(MAKE.arrayNode(), false, false, 0, 0));
      file.run(
          "insert into trial_params (trial_id, param_name, param_value, distribution_json)"
              + " values (?, ?, ?, '')",
          id,
          each.getKey(),
          distribution.stored(each.getValue()));
    }
    for (int i = 0; i < objectives.size(); i++) {
      Double value = result.get(objectives.get(i).metric());
      if (value != null && !value.isNaN()) {
        file.run(
            "insert into trial_values (trial_id, objective, value, value_type)"
                + " values (?, ?, ?, ?)",
            id,
            i,
            finite(value),
            kind(value));
      }
    }
    for (JsonNode point : trial.path("points")) {
      if (point.path("kind").asText().equals("intermediate")) {
        JsonNode value = point.path("value");
        double number = ArchivedExperiment.number(value.isObject() ? value.path("default") : value);
        file.run(
            "insert or replace into trial_intermediate_values (trial_id, step, intermediate_value,"
                + " intermediate_value_type) values (?, ?, ?, ?)",
            id,
            point.path("sequence").asLong(),
            finite(number),
            kind(number));
      }
    }
  }

  /** A trial whose result is no number has failed for Optuna. */
  private static String state(
      JsonNode trial, Map<String, Double> result, List<Objective> objectives) {
    boolean whole =
        objectives.stream()
            .map(each -> result.get(each.metric()))
            .allMatch(value -> value != null && !value.isNaN());
    return switch (trial.path("status").asText()) {
      case "SUCCEEDED" -> whole ? "COMPLETE" : "FAIL";
      case "EARLY_STOPPED" -> "PRUNED";
      default -> "FAIL";
    };
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static String kind(double value) {
    if (Double.isNaN(value)) {
      return "NAN";
    }
    return Double.isFinite(value) ? "FINITE" : value > 0 ? "INF_POS" : "INF_NEG";
  }

  private @Nullable String time(@Nullable Instant at) {
    return at == null ? null : TIME.format(at.atZone(zone));
  }
}
