package io.orrery.metrics.query;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.metrics.store.Columns;
import io.orrery.metrics.store.MetricLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the trials that were looked at last. A page asks for the same chart again and
 * again, of which little is new: to read and decode all of it each time costs twenty times what
 * choosing its points does. Belongs to one event loop.
 */
final class CurveCache {
  /** About two million points; what was not asked for longest goes first. */
  private static final long MOST_BYTES = 48L << 20;

  /** Trials that are read from their first points on. */
  private static final int AT_ONCE = 4;

  /** Of the three columns of a curve. */
  private static final long BYTES_A_POINT = 24;

  /**
   * The numbers of a trial, and what was chosen of them the last time.
   *
   * @param total of the columns when the curve was chosen
   * @param from the bounds of the question
   */
  private record Shown(
      Columns columns, long total, int maxPoints, long from, long to, Metrics.Curve curve) {
    /** Whether it still is the answer. */
    boolean answers(Columns now, Metrics.CurvesOf question) {
      return now == columns
          && now.total() == total
          && Objects.equals(now.result(), curve.result())
          && question.maxPoints() == maxPoints
          && question.from() == from
          && question.to() == to;
    }

    /** Whether there are points, of which the columns know the number only. */
    boolean isOpen() {
      return columns.isTooLong() && curve.total() == 0;
    }

    Shown drawn(Metrics.Series series) {
      return new Shown(
          columns, total, maxPoints, from, to, CurveCache.curve(columns.attempt(), series));
    }
  }

  private final Vertx vertx;
  private final MetricLog log;
  private final LinkedHashMap<TrialRef, Shown> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  CurveCache(Vertx vertx, MetricLog log) {
    this.vertx = vertx;
    this.log = log;
  }

  /** As {@link Metrics#CURVES}; chosen as {@link Downsample} does. */
  Future<Metrics.Curves> curves(Metrics.CurvesOf question) {
    if (question.maxPoints() < Downsample.LEAST) {
      return Downsample.tooFew(question.maxPoints());
    }
    Map<TrialRef, Metrics.Curve> found = new HashMap<>();
    List<TrialRef> trials = question.trials().stream().distinct().toList();
    List<TrialRef> known = trials.stream().filter(kept::containsKey).toList();
    List<TrialRef> others = trials.stream().filter(trial -> !kept.containsKey(trial)).toList();
    return read(known, question, found)
        .compose(done -> readSome(others, question, found))
        .map(done ->
            new Metrics.Curves(
                question.trials().stream()
                    .map(trial -> Objects.requireNonNull(found.get(trial)))
                    .toList()));
  }

  /** A few at a time, lest the whole of a hundred long series is in memory at once. */
  private Future<Void> readSome(
      List<TrialRef> trials, Metrics.CurvesOf question, Map<TrialRef, Metrics.Curve> found) {
    int some = Math.min(trials.size(), AT_ONCE);
    return trials.isEmpty()
        ? Future.succeededFuture()
        : read(trials.subList(0, some), question, found)
            .compose(done -> readSome(trials.subList(some, trials.size()), question, found));
  }

  private Future<Void> read(
      List<TrialRef> trials, Metrics.CurvesOf question, Map<TrialRef, Metrics.Curve> found) {
    if (trials.isEmpty()) {
      return Future.succeededFuture();
    }
    List<MetricLog.Known> asked = new ArrayList<>(trials.size());
    List<@Nullable Shown> before = new ArrayList<>(trials.size());
    for (TrialRef trial : trials) {
      Shown known = take(trial);
      before.add(known);
      asked.add(new MetricLog.Known(trial, known == null ? null : known.columns()));
    }
    return log.columns(asked)
        .compose(read -> shown(read, before, question))
        .compose(shown -> drawn(trials, shown, 0, question))
        .map(shown -> {
          for (int i = 0; i < trials.size(); i++) {
            found.put(trials.get(i), shown.get(i).curve());
            keep(trials.get(i), shown.get(i));
          }
          return null;
        });
  }

  /** What has changed is chosen anew, by a worker; mostly nothing has. */
  private Future<List<Shown>> shown(
      List<Columns> read, List<@Nullable Shown> before, Metrics.CurvesOf question) {
    List<Shown> still = new ArrayList<>(read.size());
    for (int i = 0; i < read.size(); i++) {
      Shown known = before.get(i);
      if (known != null && known.answers(read.get(i), question)) {
        still.add(known);
      }
    }
    return still.size() == read.size()
        ? Future.succeededFuture(still)
        : vertx.executeBlocking(() -> chosen(read, before, question), false);
  }

  /** Those that are too long for columns are read from beginning to end, one after the other. */
  private Future<List<Shown>> drawn(
      List<TrialRef> trials, List<Shown> shown, int from, Metrics.CurvesOf question) {
    int at = from;
    while (at < shown.size() && !shown.get(at).isOpen()) {
      at++;
    }
    if (at == shown.size()) {
      return Future.succeededFuture(shown);
    }
    int index = at;
    Metrics.SeriesOf all =
        new Metrics.SeriesOf(
            trials.get(index), question.maxPoints(), null, question.from(), question.to());
    return log.lastAttempt(trials.get(index), Queries.seriesOf(all))
        .compose(series -> {
          List<Shown> drawn = new ArrayList<>(shown);
          drawn.set(index, shown.get(index).drawn(series));
          return drawn(trials, drawn, index + 1, question);
        });
  }

  /** Takes a curve out of the cache until it is back: a request meanwhile reads the log itself. */
  private @Nullable Shown take(TrialRef trial) {
    Shown known = kept.remove(trial);
    bytes -= known == null ? 0 : weight(known);
    return known;
  }

  private void keep(TrialRef trial, Shown shown) {
    take(trial);
    kept.put(trial, shown);
    bytes += weight(shown);
    while (bytes > MOST_BYTES) {
      take(kept.firstEntry().getKey());
    }
  }

  private static List<Shown> chosen(
      List<Columns> read, List<@Nullable Shown> before, Metrics.CurvesOf question) {
    List<Shown> all = new ArrayList<>(read.size());
    for (int i = 0; i < read.size(); i++) {
      Shown known = before.get(i);
      all.add(
          known != null && known.answers(read.get(i), question)
              ? known
              : chosen(read.get(i), question));
    }
    return all;
  }

  /** Bytes of memory, roughly; they do not change while it is kept. */
  private static long weight(Shown shown) {
    return shown.columns().bytes() + BYTES_A_POINT * shown.curve().values().length;
  }

  private static Shown chosen(Columns columns, Metrics.CurvesOf question) {
    int from = columns.indexOf(question.from());
    int to =
        question.to() == Long.MAX_VALUE ? columns.length() : columns.indexOf(question.to() + 1);
    return new Shown(
        columns,
        columns.total(),
        question.maxPoints(),
        question.from(),
        question.to(),
        curve(columns, from, Math.max(from, to), question.maxPoints()));
  }

  private static Metrics.Curve curve(Columns columns, int from, int to, int most) {
    int[] chosen = Downsample.choose(columns.numbers(), from, to - from, most);
    long[] sequences = new long[chosen.length];
    double[] values = new double[chosen.length];
    long[] times = new long[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      int at = from + chosen[i];
      sequences[i] = columns.sequence(at);
      values[i] = columns.number(at);
      times[i] = columns.time(at);
    }
    return new Metrics.Curve(
        columns.attempt(), sequences, values, times, columns.result(), to - from);
  }

  private static Metrics.Curve curve(int attempt, Metrics.Series series) {
    List<MetricPoint> points = series.points();
    return new Metrics.Curve(
        attempt,
        points.stream().mapToLong(MetricPoint::sequence).toArray(),
        points.stream().mapToDouble(point -> point.value().number()).toArray(),
        points.stream().mapToLong(MetricPoint::time).toArray(),
        series.result(),
        series.total());
  }
}
