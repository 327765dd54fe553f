package io.orrery.metrics.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Thins out what an attempt reported, point by point in the order of the log, in memory that does
 * not depend on how much that is.
 *
 * <p>Of each metric (the number itself, and every numeric entry of an object) and each stretch of
 * sequence numbers four points stay: the first, the last, the lowest and the highest. That is M4
 * (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014): a chart
 * with a pixel or more for a stretch looks as it did. A result is always kept, and points stay as
 * they are: nothing is averaged.
 *
 * <p>A stretch is as long as a power of two and begins at a multiple of it. When there are too many
 * of them for a metric, each two neighbours become one, whose four points are among the eight. So
 * thinning out what was thinned out before, with what came since, keeps the very points that
 * thinning out all of it would have kept: old chunks can go one after the other.
 */
final class Rollup {
  /** Metrics of an attempt that are looked at; of an object that has more the others may go. */
  private static final int MOST_METRICS = 100;

  /** The name of the number itself, which no entry has: that of {@code default} is the number. */
  private static final String NUMBER = "default";

  private static final int POINTS_A_STRETCH = 4;

  /** A point and its place among all. */
  private record Ranked(long arrival, MetricPoint point, double number) {}

  private final int mostStretches;
  private final Map<String, Reduction> lines = new HashMap<>();
  private final List<Ranked> results = new ArrayList<>();
  private long arrivals;

  /**
   * @param points about how many stay of each metric, 4 or more
   */
  Rollup(int points) {
    this.mostStretches = Math.max(1, points / POINTS_A_STRETCH);
  }

  void add(MetricPoint point) {
    long arrival = arrivals++;
    switch (point.kind()) {
      case FINAL -> results.add(new Ranked(arrival, point, point.value().number()));
      case INTERMEDIATE -> addIntermediate(arrival, point);
    }
  }

  /** What stays, in the order of arrival. */
  List<MetricPoint> points() {
    TreeMap<Long, MetricPoint> kept = new TreeMap<>();
    results.forEach(result -> kept.put(result.arrival(), result.point()));
    for (Reduction line : lines.values()) {
      line.stretches.values().forEach(stretch -> stretch.keep(kept));
    }
    return List.copyOf(kept.values());
  }

  private void addIntermediate(long arrival, MetricPoint point) {
    Map<String, Double> entries = entries(point.value());
    if (entries.isEmpty() || !Double.isNaN(point.value().number())) {
      addTo(NUMBER, new Ranked(arrival, point, point.value().number()));
    }
    entries.forEach((name, number) -> addTo(name, new Ranked(arrival, point, number)));
  }

  private void addTo(String metric, Ranked kept) {
    Reduction line = lines.get(metric);
    if (line == null && lines.size() < MOST_METRICS) {
      line = new Reduction(mostStretches);
      lines.put(metric, line);
    }
    if (line != null) {
      line.add(kept);
    }
  }

  /** The numbers of an object but for its {@code default}. */
  private static Map<String, Double> entries(MetricValue value) {
    JsonNode object = object(value.document());
    if (object == null) {
      return Map.of();
    }
    Map<String, Double> entries = new LinkedHashMap<>();
    object
        .fieldNames()
        .forEachRemaining(name -> {
          Double number = MetricValue.numberAt(object, name);
          if (number != null && !name.equals(NUMBER)) {
            entries.put(name, number);
          }
        });
    return entries;
  }

  private static @Nullable JsonNode object(@Nullable String document) {
    if (document == null) {
      return null;
    }
    try {
      JsonNode node = Json.parse(document);
      return node.isObject() ? node : null;
    } catch (ProblemException notJson) {
      return null;
    }
  }

  /** The stretches of one metric. */
  private static final class Reduction {
    private final int most;

    /** A stretch is two to the power of this many sequence numbers. */
    private int shift;

    private Map<Long, Stretch> stretches = new HashMap<>();

    Reduction(int most) {
      this.most = most;
    }

    void add(Ranked kept) {
      stretches.computeIfAbsent(number(kept.point()), number -> new Stretch(kept)).add(kept);
      while (stretches.size() > most) {
        shift++;
        Map<Long, Stretch> wider = HashMap.newHashMap(stretches.size());
        stretches
            .values()
            .forEach(stretch -> wider.merge(number(stretch.first.point()), stretch, Stretch::with));
        stretches = wider;
      }
    }

    /** Which stretch a point is in; in the end there is one for all. */
    private long number(MetricPoint point) {
      return shift < Long.SIZE ? point.sequence() >> shift : 0;
    }
  }

  /** The points of one stretch that stay. */
  private static final class Stretch {
    private Ranked first;
    private Ranked last;
    private Ranked low;
    private Ranked high;

    Stretch(Ranked only) {
      first = only;
      last = only;
      low = only;
      high = only;
    }

    void add(Ranked kept) {
      if (before(kept, first)) {
        first = kept;
      }
      if (before(last, kept)) {
        last = kept;
      }
      if (more(low.number(), kept.number(), low, kept)) {
        low = kept;
      }
      if (more(kept.number(), high.number(), high, kept)) {
        high = kept;
      }
    }

    Stretch with(Stretch other) {
      add(other.first);
      add(other.last);
      add(other.low);
      add(other.high);
      return this;
    }

    void keep(Map<Long, MetricPoint> kept) {
      for (Ranked one : List.of(first, last, low, high)) {
        kept.put(one.arrival(), one.point());
      }
    }

    private static boolean before(Ranked a, Ranked b) {
      long one = a.point().sequence();
      long other = b.point().sequence();
      return one < other || (one == other && a.arrival() < b.arrival());
    }

    /** Whether a newcomer takes a place: a number beats NaN, and of equals the earlier stays. */
    private static boolean more(double greater, double smaller, Ranked holder, Ranked newcomer) {
      if (Double.isNaN(newcomer.number())) {
        return false;
      }
      return Double.isNaN(holder.number())
          || greater > smaller
          || (greater == smaller && newcomer.arrival() < holder.arrival());
    }
  }
}
