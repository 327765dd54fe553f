package io.orrery.orchestrator.experiment.owner;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.experiment.model.ImportedResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A document with results of elsewhere, read and judged whole: NNI's list of {@code parameter} and
 * {@code value}, which an export of ours is as well, or a {@link TableOfResults}. What else stands
 * in a row is read over.
 *
 * @param notices in full sentences
 */
record ImportedResults(List<ImportedResult> all, List<String> notices) {
  private static final int MOST = 10_000;

  ImportedResults {
    all = List.copyOf(all);
    notices = List.copyOf(notices);
  }

  /**
   * Reads a document.
   *
   * @param objectives of the experiment: the number of a result is that of the first
   * @throws ProblemException Refused with every finding, TooLarge above 10,000 results
   */
  static ImportedResults read(String document, ParameterShape shape, Objectives objectives) {
    JsonNode rows =
        TableOfResults.isOne(document)
            ? TableOfResults.read(document, shape, objectives, MOST)
            : Json.parse(document);
    if (!rows.isArray()) {
      throw new Problem.Refused(
              new Finding(
                  "",
                  "results are a list such as [{\"parameter\": {\"lr\": 0.1}, \"value\": 0.9}]"))
          .toException();
    }
    if (rows.size() > MOST) {
      throw new Problem.TooLarge(
              "An import brings at most %d results, this one has %s: send them in several."
                  .formatted(MOST, TableOfResults.isOne(document) ? "more" : rows.size()))
          .toException();
    }
    Reading reading = new Reading(shape, objectives);
    for (int i = 0; i < rows.size(); i++) {
      reading.row("/" + i, rows.get(i));
    }
    if (!reading.findings.isEmpty()) {
      throw Problem.Refused.of(reading.findings).toException();
    }
    return new ImportedResults(reading.results, reading.notices());
  }

  /** These results, except for as many of each as are known already. */
  List<ImportedResult> without(List<ImportedResult> known) {
    Map<String, Integer> spare = new HashMap<>();
    known.forEach(result -> spare.merge(result.canonical(), 1, Integer::sum));
    return all.stream()
        .filter(result -> spare.merge(result.canonical(), -1, Integer::sum) < 0)
        .toList();
  }

  /** A document that is being read. */
  private static final class Reading {
    private static final String NO_RESULT =
        "a result has a value: a number, or an object with a number as its first objective,"
            + " 'default' when the experiment names none";

    private final ParameterShape shape;
    private final Objectives objectives;
    private final List<Finding> findings = new ArrayList<>();
    private final List<ImportedResult> results = new ArrayList<>();
    private int outside;
    private String firstOutside = "";

    Reading(ParameterShape shape, Objectives objectives) {
      this.shape = shape;
      this.objectives = objectives;
    }

    void row(String pointer, JsonNode row) {
      JsonNode parameter = row.path("parameter");
      JsonNode value = row.path("value");
      int before = findings.size();
      if (parameter.isMissingNode() || (!parameter.isObject() && !shape.takesBareValues())) {
        findings.add(
            new Finding(
                pointer + "/parameter", "a result names its parameters: an object of values"));
      }
      if (value.isMissingNode() || value.isNull()) {
        findings.add(new Finding(pointer + "/value", NO_RESULT));
      }
      if (findings.size() == before) {
        Object given = Json.MAPPER.convertValue(parameter, Object.class);
        result(pointer, Parameters.ofValue(given), value);
      }
    }

    private void result(String pointer, Parameters parameters, JsonNode value) {
      ParameterShape.Verdict verdict = shape.judge(parameters.values());
      verdict
          .findings()
          .forEach(
              f -> findings.add(new Finding(pointer + "/parameter" + f.pointer(), f.message())));
      if (!verdict.notices().isEmpty()) {
        firstOutside = outside++ == 0 ? pointer : firstOutside;
      }
      try {
        MetricValue counted = objectives.counted(metric(value));
        if (counted.isNamedOnly() && !namesAnObjective(counted)) {
          throw new Problem.Refused(new Finding("", NO_RESULT)).toException();
        }
        results.add(new ImportedResult(parameters, counted));
      } catch (ProblemException e) {
        findings.add(new Finding(pointer + "/value", e.problem().detail()));
      }
    }

    private boolean namesAnObjective(MetricValue value) {
      JsonNode entries = Json.parse(String.valueOf(value.document()));
      return objectives.all().stream().anyMatch(objective -> entries.has(objective.metric()));
    }

    /** NNI's own export has the JSON text of a value in place of the value. */
    private static MetricValue metric(JsonNode value) {
      boolean word = value.isTextual() && value.textValue().matches("-?Infinity|NaN");
      return value.isTextual() && !word
          ? MetricValue.reported(value.textValue())
          : MetricValue.reported(value);
    }

    List<String> notices() {
      return outside == 0
          ? List.of()
          : List.of(
              "%d of the results have values outside the search space, the first at %s: they are kept, and a tuner that cannot place them leaves them out."
                  .formatted(outside, firstOutside));
    }
  }
}
