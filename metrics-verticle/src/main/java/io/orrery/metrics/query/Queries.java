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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/** Answers questions about what has been reported. */
public final class Queries {
  private static final String DEFAULT = "default";

  /** In one page, whatever was asked for. */
  private static final int MOST_POINTS = 20_000;

  private final MetricLog log;
  private final CurveCache charts;

  public Queries(Vertx vertx, MetricLog log) {
    this.log = log;
    this.charts = new CurveCache(vertx, log);
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
    return log.lastAttempt(question.trial(), seriesOf(question));
  }

  private Future<Metrics.Latest> latest(Metrics.LatestOf question) {
    return log.lastAttempts(question.experiment(), question.trials(), EndsSoFar.COLLECTED)
        .map(Metrics.Latest::new);
  }

  /** The series of an attempt, of its points in the log's order. */
  static Collector<MetricPoint, ?, Metrics.Series> seriesOf(Metrics.SeriesOf question) {
    return Collector.of(
        () -> new SeriesSoFar(question), SeriesSoFar::add, Queries::inOnePart, SeriesSoFar::end);
  }

  /** A series as it is read. */
  private static final class SeriesSoFar {
    private final Metrics.SeriesOf question;
    private final SeriesReducer line = new SeriesReducer();
    private @Nullable MetricPoint result;

    private SeriesSoFar(Metrics.SeriesOf question) {
      this.question = question;
    }

    private void add(MetricPoint point) {
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

    private Metrics.Series end() {
      List<MetricPoint> points = line.points();
      double[] numbers = points.stream().mapToDouble(point -> point.value().number()).toArray();
      int[] chosen = Downsample.choose(numbers, 0, numbers.length, question.maxPoints());
      return new Metrics.Series(
          Arrays.stream(chosen).mapToObj(points::get).toList(), result, line.total());
    }
  }

  /** The last points as they are read; which is the last is decided as in a series. */
  private static final class EndsSoFar {
    static final Collector<MetricPoint, ?, Metrics.Ends> COLLECTED =
        Collector.of(EndsSoFar::new, EndsSoFar::add, Queries::inOnePart, EndsSoFar::end);

    private @Nullable MetricPoint last;
    private @Nullable MetricPoint result;

    private void add(MetricPoint point) {
      switch (point.kind()) {
        case FINAL -> result = point;
        case INTERMEDIATE -> {
          boolean later = last == null || point.sequence() >= last.sequence();
          last = later && valueAt(point, null) != null ? point : last;
        }
      }
    }

    private Metrics.Ends end() {
      return new Metrics.Ends(last, result);
    }
  }

  /** The log reads one point after the other. */
  private static <T> T inOnePart(T left, T right) {
    throw new IllegalStateException("points are read in their order");
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
