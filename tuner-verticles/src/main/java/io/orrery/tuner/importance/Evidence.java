package io.orrery.tuner.importance;

import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Rows;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of one experiment that importance is judged by, whose number has a bound.
 *
 * <p>Of more, every second one is kept, then every fourth and so on, in the order in which they
 * came, and always the lowest and the highest. What does not lie in the space, because it was
 * another one then or a user chose so, is left out. Not thread safe.
 */
public final class Evidence {
  /** The most results that are kept; fewer in spaces with more than 50 parameters. */
  public static final int MOST = 2_000;

  private static final int MOST_NUMBERS = 50 * MOST;
  private static final int LEAST = 100;

  private final Axes axes;
  private final Rows encoding;
  private final int most;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private DoubleSummaryStatistics values = new DoubleSummaryStatistics();
  private long came;
  private long stride = 1;

  private record Row(long number, double[] shares, double value) {}

  private static final Comparator<Row> BY_VALUE = Comparator.comparingDouble(Row::value);

  /** A parameter and its share of what the parameters explain, from 0 to 1. */
  public record Share(String path, double importance) {}

  public Evidence(SearchSpace space) {
    axes = Axes.of(space);
    encoding = new Rows(axes);
    most = Math.clamp(MOST_NUMBERS / Math.max(1, axes.all().size()), LEAST, MOST);
  }

  /** Takes the result of a trial, in place of the one that it may have had. */
  public void put(String trial, Parameters parameters, double value) {
    drop(trial);
    double[] point = axes.encode(parameters);
    if (point == null || !Double.isFinite(value)) {
      return;
    }
    long number = came++;
    if (number % stride == 0 || value < values.getMin() || value > values.getMax()) {
      rows.put(trial, new Row(number, encoding.of(point), value));
      values.accept(value);
    }
    if (rows.size() > most) {
      thinOut();
    }
  }

  /** Forgets the result of a trial, if it had one. */
  public void drop(String trial) {
    if (rows.remove(trial) != null) {
      values = rows.values().stream().mapToDouble(Row::value).summaryStatistics();
    }
  }

  private void thinOut() {
    stride *= 2;
    long lowest = Collections.min(rows.values(), BY_VALUE).number();
    long highest = Collections.max(rows.values(), BY_VALUE).number();
    rows.values()
        .removeIf(
            row -> row.number() % stride != 0 && row.number() != lowest && row.number() != highest);
  }

  /** How many results there are now. */
  public int size() {
    return rows.size();
  }

  /** Whether there are results that differ, without which nothing has any importance. */
  public boolean varies() {
    return rows.size() > 1 && values.getMin() < values.getMax();
  }

  /** Every parameter of the space, the most important first; empty when they explain nothing. */
  public List<Share> importance() {
    double[][] shares = rows.values().stream().map(Row::shares).toArray(double[][]::new);
    double[] results = rows.values().stream().mapToDouble(Row::value).toArray();
    double[] importance = Importance.of(shares, results, encoding.options(), Rng.keyed(0, 0));
    if (Arrays.stream(importance).sum() == 0) {
      return List.of();
    }
    List<Share> all = new ArrayList<>();
    axes.all().forEach(axis -> all.add(new Share(axis.path(), importance[axis.index()])));
    all.sort(Comparator.comparingDouble(Share::importance).reversed());
    return List.copyOf(all);
  }
}
