package io.orrery.orchestrator.experiment.owner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.orrery.core.constraint.Kind;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.text.Csv;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reader of results as a table (CSV, RFC 4180, with a line of names): our own export of that
 * format, or what a data frame or a spreadsheet writes. A column that has the name of a parameter
 * holds its values; one of the name of an objective holds what it is about; of the names {@code
 * reward}, {@code default}, {@code value} and {@code metric} the first that is there is the result
 * where no column has an objective's name. Other columns are read over, and so are rows without a
 * result.
 */
final class TableOfResults {
  private static final List<String> RESULTS =
      List.of("reward", Objective.STANDARD, "value", "metric");
  private static final String TRIAL = "trialJobId";
  private static final String OF_PARAMETER = "parameter.";
  private static final String OF_METRIC = "metric.";

  private static final CsvMapper CSV =
      CsvMapper.csvBuilder()
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .enable(CsvParser.Feature.TRIM_SPACES)
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .build();

  /**
   * A column.
   *
   * @param kind of the values of a parameter; null for a result
   */
  private record Column(int place, String name, @Nullable Kind kind) {}

  private final Map<String, Kind> kinds;

  /** Whether the search space says nothing of names, so that a column may be any parameter. */
  private final boolean anyName;

  private final Objectives objectives;
  private final List<Column> parameters = new ArrayList<>();
  private final List<Column> results = new ArrayList<>();
  private @Nullable Column plain;

  private TableOfResults(ParameterShape shape, Objectives objectives) {
    Map<String, Kind> all = shape.kinds();
    this.kinds = new TreeMap<>();
    Stream.of(
            shape.space().dimensions().keySet(),
            shape.optional().dimensions().keySet(),
            shape.added())
        .flatMap(Set::stream)
        .forEach(name -> kinds.put(name, all.getOrDefault(name, Kind.ANY)));
    this.anyName = shape.space().isOpaque();
    this.objectives = objectives;
  }

  /** Whether a document is a table and no JSON. */
  static boolean isOne(String document) {
    String text = document.stripLeading();
    return !text.startsWith("[")
        && !text.startsWith("{")
        && text.lines().findFirst().orElse("").contains(",");
  }

  private static boolean isJson(String text) {
    try {
      Json.parse(text);
      return true;
    } catch (ProblemException e) {
      return false;
    }
  }

  /**
   * Reads a table.
   *
   * @param most how many results there may be; one more is read, and no further ones
   * @return the rows as a list of {@code parameter} and {@code value}
   * @throws ProblemException Refused when it is no table, or has no column of a parameter or of a
   *     result
   */
  static ArrayNode read(String document, ParameterShape shape, Objectives objectives, int most) {
    TableOfResults table = new TableOfResults(shape, objectives);
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    String text = document.startsWith("\uFEFF") ? document.substring(1) : document;
    try (MappingIterator<String[]> lines = CSV.readerFor(String[].class).readValues(text)) {
      table.head(lines.hasNextValue() ? lines.nextValue() : new String[0]);
      while (rows.size() <= most && lines.hasNextValue()) {
        table.row(lines.nextValue(), rows);
      }
      return rows;
    } catch (IOException e) {
      String cause =
          e instanceof JsonProcessingException wrong ? wrong.getOriginalMessage() : "" + e;
      throw refused("the table of results (CSV) cannot be read: " + cause);
    }
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }

  private void head(String[] names) {
    List<Column> plains = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      String name = Csv.chosen(names[i]);
      Kind kind = kinds.get(without(OF_PARAMETER, name));
      if (kind != null && !name.startsWith(OF_METRIC)) {
        parameters.add(new Column(i, without(OF_PARAMETER, name), kind));
      } else if (isObjective(without(OF_METRIC, name))) {
        results.add(new Column(i, without(OF_METRIC, name), null));
      } else if (RESULTS.contains(name)) {
        plains.add(new Column(i, name, null));
      } else if (anyName && !name.equals(TRIAL)) {
        parameters.add(new Column(i, name, Kind.ANY));
      }
    }
    Set<String> once = new HashSet<>();
    Stream.of(parameters, results, plains)
        .flatMap(List::stream)
        .filter(column -> !once.add((column.kind == null) + column.name))
        .findFirst()
        .ifPresent(twice -> {
          throw refused("the column " + twice.name + " is there twice");
        });
    plain =
        plains.stream()
            .min((a, b) -> Integer.compare(RESULTS.indexOf(a.name), RESULTS.indexOf(b.name)))
            .orElse(null);
    if (parameters.isEmpty()) {
      throw refused(
          "the first line of a table names its columns, with commas between, and none of them is a"
              + " parameter of the search space: "
              + String.join(", ", kinds.keySet()));
    }
    if (results.isEmpty() && plain == null) {
      throw refused(
          "a table has its results in a column named "
              + String.join(", ", objectives.all().stream().map(Objective::metric).toList())
              + ", or reward, value or metric");
    }
  }

  private static String without(String prefix, String name) {
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  private boolean isObjective(String name) {
    return objectives.all().stream().anyMatch(objective -> objective.metric().equals(name));
  }

  private void row(String[] cells, ArrayNode rows) {
    JsonNode value = result(cells);
    if (value != null) {
      ObjectNode row = rows.addObject();
      ObjectNode given = row.putObject("parameter");
      for (Column column : parameters) {
        String cell = cell(cells, column);
        if (!cell.isEmpty()) {
          given.set(column.name, value(cell, column.kind));
        }
      }
      row.set("value", value);
    }
  }

  /** Null when the row has none. */
  private @Nullable JsonNode result(String[] cells) {
    if (results.isEmpty()) {
      String cell = plain == null ? "" : cell(cells, plain);
      return cell.isEmpty() ? null : value(cell, Kind.NUMBER);
    }
    ObjectNode entries = JsonNodeFactory.instance.objectNode();
    for (Column column : results) {
      String cell = cell(cells, column);
      if (!cell.isEmpty()) {
        entries.set(column.name, value(cell, Kind.NUMBER));
      }
    }
    return entries.isEmpty() ? null : entries;
  }

  private static String cell(String[] cells, Column column) {
    return column.place < cells.length ? Csv.chosen(cells[column.place]) : "";
  }

  /** What stands in a cell: of text it is the text, else a number, a truth or JSON if it is one. */
  private static JsonNode value(String cell, @Nullable Kind kind) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (cell.startsWith("{") || cell.startsWith("[")) {
      return isJson(cell) ? Json.parse(cell) : nodes.textNode(cell);
    }
    if (kind == Kind.TEXT) {
      return nodes.textNode(cell);
    }
    if (kind != Kind.NUMBER && cell.toLowerCase(Locale.ROOT).matches("true|false")) {
      return nodes.booleanNode(Boolean.parseBoolean(cell));
    }
    try {
      BigDecimal number = new BigDecimal(cell);
      return number.scale() <= 0 && number.precision() - number.scale() <= 18
          ? nodes.numberNode(number.longValueExact())
          : nodes.numberNode(number.doubleValue());
    } catch (ArithmeticException | NumberFormatException e) {
      return nodes.textNode(cell);
    }
  }
}
