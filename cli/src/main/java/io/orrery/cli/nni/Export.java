package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.OutputFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.FileFault;
import io.orrery.core.text.Csv;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Implements {@code nnictl experiment export}: NNI's own layout of the results, as JSON or CSV. */
final class Export {
  private final Session session;
  private final String experiment;

  /** The formats that can be written. */
  enum Type {
    json,
    csv
  }

  Export(Session session, String experiment) {
    this.session = session;
    this.experiment = experiment;
  }

  void write(Type type, String file, boolean intermediate) {
    JsonNode results = session.api().get(Resource.nni(experiment, "export-data"));
    if (intermediate) {
      Map<String, List<JsonNode>> curves = curves();
      results.forEach(result ->
          ((ObjectNode) result)
              .putArray("intermediate")
              .addAll(curves.getOrDefault(result.path("trialJobId").asText(), List.of())));
    }
    Path target = session.terminal().directory().resolve(file);
    try {
      String text =
          switch (type) {
            case json -> results.toPrettyString() + "\n";
            case csv -> csv(results, intermediate);
          };
      OutputFile.write(target, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw CommandFailure.failed(file + ": cannot be written: " + FileFault.words(e));
    }
  }

  /** The intermediate results of each trial, in their order. */
  private Map<String, List<JsonNode>> curves() {
    Map<String, List<JsonNode>> curves = new LinkedHashMap<>();
    session
        .api()
        .get(Resource.nni(experiment, "metric-data").with("type", "PERIODICAL"))
        .forEach(point ->
            curves
                .computeIfAbsent(point.path("trialJobId").asText(), trial -> new ArrayList<>())
                .add(FinalMetric.of(point.path("data").asText())));
    return curves;
  }

  static String csv(JsonNode results, boolean intermediate) {
    List<Map<String, String>> rows = new ArrayList<>();
    Set<String> columns = new LinkedHashSet<>();
    results.forEach(result -> {
      Map<String, String> row = row(result, intermediate);
      columns.addAll(row.keySet());
      rows.add(row);
    });
    StringBuilder text = new StringBuilder(Csv.line(columns.stream().map(Csv::text).toList()));
    rows.forEach(
        row -> text.append(Csv.line(columns.stream().map(c -> row.getOrDefault(c, "")).toList())));
    return text.toString();
  }

  /** Parameters, then {@code reward} or the keys of a metric that is an object. */
  private static Map<String, String> row(JsonNode result, boolean intermediate) {
    Map<String, String> row = new LinkedHashMap<>();
    JsonNode parameter = result.path("parameter");
    if (parameter.isObject()) {
      parameter.properties().forEach(p -> row.put(p.getKey(), text(p.getValue())));
    } else {
      row.put("parameter", text(parameter));
    }
    JsonNode given = result.path("value");
    JsonNode value = given.isTextual() ? Json.parse(given.textValue()) : given;
    if (value.isObject()) {
      value.properties().forEach(key -> row.put(key.getKey(), text(key.getValue())));
    } else {
      row.put("reward", text(value));
    }
    row.put("trialJobId", text(result.path("trialJobId")));
    if (intermediate) {
      row.put("intermediate", result.path("intermediate").toString());
    }
    return row;
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? Csv.text(value.textValue()) : value.toString();
  }
}
