package io.orrery.benchmarks.search.problem;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Values of a full grid of configurations, measured once. A configuration in between has the value
 * of the nearest one: each numeric parameter snaps to the nearest level, on the logarithmic scale
 * when its type is logarithmic, a tie to the smaller. Under a nested choice each branch has a grid
 * of its own, with its own levels.
 *
 * <p>A row is {@code [configuration, value or curve, seconds]}, or {@code [branch, parameters,
 * value or curve, seconds]}; a configuration is an object, or a list in the order of the table's
 * {@code grid}.
 */
final class LookupTable implements ProblemObjective {
  /** The grid of one branch; that of a table without branches has the empty name. */
  private static final class Grid {
    private final Map<String, TreeSet<Double>> levels = new LinkedHashMap<>();
    private final Map<Map<String, Object>, double[]> curves = new HashMap<>();

    void add(Map<String, Object> configuration, double[] curve) {
      configuration.forEach((name, value) -> {
        if (value instanceof Double level) {
          levels.computeIfAbsent(name, n -> new TreeSet<>()).add(level);
        }
      });
      curves.put(configuration, curve);
    }
  }

  private static final String NAME = "_name";

  private final Map<String, Grid> grids = new HashMap<>();
  private final Map<String, Dimension> dimensions = new HashMap<>();

  /** What a trial of one value would never vary, such as a solver. */
  private final Map<String, Object> fixed = new HashMap<>();

  LookupTable(JsonNode table, SearchSpace space) {
    collect(space);
    List<String> order = new ArrayList<>();
    table
        .path("grid")
        .properties()
        .forEach(entry -> {
          order.add(entry.getKey());
          if (!dimensions.containsKey(entry.getKey())) {
            fixed.put(entry.getKey(), plain(entry.getValue().path(0)));
          }
        });
    for (JsonNode row : table.path("rows")) {
      boolean branched = row.path(0).isTextual();
      grids
          .computeIfAbsent(branched ? row.path(0).asText() : "", name -> new Grid())
          .add(configuration(row.path(branched ? 1 : 0), order), curve(row.path(branched ? 2 : 1)));
    }
  }

  private void collect(SearchSpace space) {
    space
        .dimensions()
        .forEach((name, dimension) -> {
          dimensions.put(name, dimension);
          if (dimension instanceof Dimension.Choice(var options)) {
            for (Dimension.Option option : options) {
              if (option instanceof Dimension.Branch(String branch, SearchSpace below)) {
                collect(below);
              }
            }
          }
        });
  }

  private static Map<String, Object> configuration(JsonNode json, List<String> order) {
    Map<String, Object> configuration = new HashMap<>();
    if (json.isArray()) {
      for (int i = 0; i < order.size(); i++) {
        configuration.put(order.get(i), plain(json.path(i)));
      }
    } else {
      json.properties().forEach(e -> configuration.put(e.getKey(), plain(e.getValue())));
    }
    return configuration;
  }

  private static Object plain(JsonNode json) {
    return json.isNumber() ? (Object) json.asDouble() : json.asText();
  }

  private static double[] curve(JsonNode json) {
    if (!json.isArray()) {
      return new double[] {json.asDouble()};
    }
    double[] curve = new double[json.size()];
    for (int i = 0; i < curve.length; i++) {
      curve[i] = json.get(i).asDouble();
    }
    return curve;
  }

  @Override
  public double value(Parameters parameters) {
    double[] curve = curve(parameters);
    return curve[curve.length - 1];
  }

  @Override
  public double[] curve(Parameters parameters) {
    Map<String, @Nullable Object> flat = new HashMap<>(fixed);
    String branch = "";
    for (Map.Entry<String, @Nullable Object> entry : parameters.values().entrySet()) {
      if (entry.getValue() instanceof Map<?, ?> chosen) {
        branch = String.valueOf(chosen.get(NAME));
        chosen.forEach((name, value) -> flat.put(String.valueOf(name), value));
      } else {
        flat.put(entry.getKey(), entry.getValue());
      }
    }
    flat.remove(NAME);
    Grid grid = grids.get(branch);
    Map<String, Object> level = new HashMap<>();
    if (grid != null) {
      flat.forEach((name, value) -> level.put(name, snapped(grid, name, value)));
    }
    double[] found = grid == null ? null : grid.curves.get(level);
    if (found == null) {
      throw new IllegalArgumentException("the table has no row for " + parameters.toJson());
    }
    return found.clone();
  }

  private Object snapped(Grid grid, String name, @Nullable Object value) {
    TreeSet<Double> levels = grid.levels.get(name);
    if (!(value instanceof Number number) || levels == null) {
      return String.valueOf(value);
    }
    double wanted = number.doubleValue();
    Double below = levels.floor(wanted);
    Double above = levels.ceiling(wanted);
    if (below == null || above == null) {
      return Objects.requireNonNullElseGet(below, () -> Objects.requireNonNull(above));
    }
    boolean logarithmic =
        dimensions.get(name) instanceof Dimension.LogUniform
            || dimensions.get(name) instanceof Dimension.QLogUniform;
    double up = logarithmic ? Math.log(above / wanted) : above - wanted;
    double down = logarithmic ? Math.log(wanted / below) : wanted - below;
    return up < down ? above : below;
  }
}
