package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.text.Csv;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Results as CSV (RFC 4180): a column for each hyperparameter, then {@code reward} (or the keys of
 * the metrics that are objects), then {@code trialJobId}, as NNI's export has them. A cell that
 * holds a list or an object is its JSON text, and a text that a spreadsheet would run is marked as
 * one ({@link Csv#text}). A metric of the name of a parameter has the column {@code metric.NAME}.
 *
 * <p>{@link #learn} every result first. A trial that brings a column that was not seen by then
 * ended after the export began, and is left out: a table is better short of its newest row than of
 * a cell.
 */
final class ExportTable {
  private static final String REWARD = "reward";
  private static final String TRIAL = "trialJobId";

  private final Set<String> parameters = new LinkedHashSet<>();
  private final Set<String> metrics = new LinkedHashSet<>();

  void learn(TrialResult result) {
    parameters.addAll(result.parameters().values().keySet());
    metrics.addAll(metrics(result.value()).keySet());
  }

  String head() {
    // Two columns of one name are one column to most readers.
    Set<String> names = new LinkedHashSet<>();
    names.add(TRIAL);
    List<String> cells = new ArrayList<>();
    parameters.forEach(name -> cells.add(Csv.text(unique(name, "parameter.", names))));
    (metrics.isEmpty() ? Set.of(REWARD) : metrics)
        .forEach(name -> cells.add(Csv.text(unique(name, "metric.", names))));
    cells.add(TRIAL);
    return Csv.line(cells);
  }

  /** A name that no column before has; the prefix is put in front of one that is taken. */
  private static String unique(String name, String prefix, Set<String> taken) {
    String free = name;
    while (!taken.add(free)) {
      free = prefix + free;
    }
    return free;
  }

  /** The line of a result, empty when it has no place in this table. */
  String row(TrialResult result) {
    Map<String, @Nullable Object> values = result.parameters().values();
    Map<String, String> results = metrics(result.value());
    if (!parameters.containsAll(values.keySet()) || !metrics.containsAll(results.keySet())) {
      return "";
    }
    List<String> cells = new ArrayList<>();
    parameters.forEach(name -> cells.add(cell(Json.MAPPER.valueToTree(values.get(name)))));
    metrics.forEach(name -> cells.add(results.getOrDefault(name, "")));
    cells.add(result.trial().ref().trial().value());
    return Csv.line(cells);
  }

  private static Map<String, String> metrics(MetricValue metric) {
    if (metric.document() == null) {
      return Map.of(REWARD, cell(Json.MAPPER.getNodeFactory().numberNode(metric.number())));
    }
    Map<String, String> cells = new LinkedHashMap<>();
    Json.parse(metric.document())
        .properties()
        .forEach(member -> cells.put(member.getKey(), cell(member.getValue())));
    return cells;
  }

  private static String cell(JsonNode value) {
    if (value.isTextual()) {
      return Csv.text(value.textValue());
    }
    return value.isNull() ? "" : value.isContainerNode() ? Json.write(value) : value.asText();
  }
}
