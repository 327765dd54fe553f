package io.orrery.metrics.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.metrics.store.MetricLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers questions about what has been reported. */
public final class Queries {
  private static final String DEFAULT = "default";

  /** In one page, whatever was asked for. */
  private static final int MOST_POINTS = 20_000;

  private final MetricLog log;
  private final Charts charts;

  public Queries(Vertx vertx, MetricLog log) {
    this.log = log;
    this.charts = new Charts(vertx, log);
  }

  /** Serves SERIES, CURVES, LATEST and POINTS; completes when they can be reached. */
  public Future<Void> serve(Bus bus) {
    return Future.all(
            bus.serve(Metrics.SERIES, this::series),
            bus.serve(Metrics.CURVES, charts::curves),
            bus.serve(Metrics.LATEST, this::latest),
            bus.serve(Metrics.POINTS, this::points))
        .mapEmpty();
  }

  private Future<Metrics.Stretch> points(Metrics.PointsSince question) {
    int most = Math.clamp(question.maxPoints(), 1, MOST_POINTS);
    return log.attemptSince(question.trial(), question.since(), most)
        .map(stretch -> new Metrics.Stretch(stretch.points(), stretch.next().orElse(null)));
  }

  /**
   * The intermediate results of a trial's last attempt by sequence, equal ones in the order of
   * arrival, thinned out by MinMax aggregation: first and last, and the lowest and highest of each
   * stretch.
   *
   * <p>With a key other than {@code default} a point's value is the number that its object has
   * there; points without one are left out and not counted, as are objects without a {@code
   * default} where that is asked for.
   */
  Future<Metrics.Series> series(Metrics.SeriesOf question) {
    if (question.maxPoints() < Downsample.LEAST) {
      return Downsample.tooFew(question.maxPoints());
    }
    return log.lastAttempt(question.trial(), points -> series(points, question));
  }

  private static Metrics.Series series(List<MetricPoint> all, Metrics.SeriesOf question) {
    List<MetricPoint> line = new ArrayList<>(all.size());
    MetricPoint result = null;
    for (MetricPoint point : all) {
      MetricPoint seen = valueAt(point, question.key());
      switch (point.kind()) {
        case FINAL -> result = seen;
        case INTERMEDIATE -> {
          if (seen != null
              && point.sequence() >= question.from()
              && point.sequence() <= question.to()) {
            line.add(seen);
          }
        }
      }
    }
    line.sort(Comparator.comparingLong(MetricPoint::sequence));
    double[] numbers = line.stream().mapToDouble(point -> point.value().number()).toArray();
    int[] chosen = Downsample.choose(numbers, 0, numbers.length, question.maxPoints());
    List<MetricPoint> points = Arrays.stream(chosen).mapToObj(line::get).toList();
    return new Metrics.Series(points, result, line.size());
  }

  private Future<Metrics.Latest> latest(Metrics.LatestOf question) {
    return log.lastAttempts(question.experiment(), question.trials(), Queries::ends)
        .map(Metrics.Latest::new);
  }

  /** Which is the last is decided as in a series. */
  private static Metrics.Ends ends(List<MetricPoint> points) {
    MetricPoint last = null;
    MetricPoint result = null;
    for (MetricPoint point : points) {
      switch (point.kind()) {
        case FINAL -> result = point;
        case INTERMEDIATE -> {
          boolean later = last == null || point.sequence() >= last.sequence();
          last = later && valueAt(point, null) != null ? point : last;
        }
      }
    }
    return new Metrics.Ends(last, result);
  }

  /** The point with the number at a key as its value; null when there is none. */
  private static @Nullable MetricPoint valueAt(MetricPoint point, @Nullable String key) {
    if (key == null || key.equals(DEFAULT)) {
      boolean line = point.kind() == MetricKind.FINAL || !point.value().isNamedOnly();
      return line ? point : null;
    }
    String document = point.value().document();
    JsonNode found = document == null ? null : Json.parse(document).get(key);
    if (found == null || found.isContainerNode() || found.isNull()) {
      return null;
    }
    MetricValue value;
    try {
      value = MetricValue.of(found);
    } catch (RuntimeException e) {
      return null;
    }
    return new MetricPoint(
        point.attempt(),
        point.source(),
        point.ordinal(),
        point.kind(),
        point.sequence(),
        point.parameterId(),
        point.time(),
        value);
  }
}
