package io.orrery.metrics.query;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.trial.TrialRef;
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
final class Charts {
  /** About two million points; what was not asked for longest goes first. */
  private static final long MOST_BYTES = 48L << 20;

  /** A longer one would push out too many others. */
  private static final long MOST_OF_ONE = MOST_BYTES / 4;

  /** Trials that are read from their first points on. */
  private static final int AT_ONCE = 4;

  private record Kept(Columns columns, long bytes) {}

  private final Vertx vertx;
  private final MetricLog log;
  private final LinkedHashMap<TrialRef, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  Charts(Vertx vertx, MetricLog log) {
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
    return log.columns(
            trials.stream().map(trial -> new MetricLog.Known(trial, take(trial))).toList())
        .compose(read ->
            vertx
                .executeBlocking(() -> chosen(read, question), false)
                .map(curves -> {
                  for (int i = 0; i < trials.size(); i++) {
                    found.put(trials.get(i), curves.get(i));
                  }
                  keep(trials, read);
                  return null;
                }));
  }

  /** Nobody else can carry it on until it is back: who asks meanwhile reads by itself. */
  private @Nullable Columns take(TrialRef trial) {
    Kept known = kept.remove(trial);
    if (known == null) {
      return null;
    }
    bytes -= known.bytes();
    return known.columns();
  }

  private void keep(List<TrialRef> trials, List<Columns> read) {
    for (int i = 0; i < trials.size(); i++) {
      take(trials.get(i));
      Kept now = new Kept(read.get(i), read.get(i).bytes());
      if (now.bytes() <= MOST_OF_ONE) {
        kept.put(trials.get(i), now);
        bytes += now.bytes();
      }
    }
    while (bytes > MOST_BYTES) {
      Map.Entry<TrialRef, Kept> eldest = kept.firstEntry();
      take(eldest.getKey());
    }
  }

  private static List<Metrics.Curve> chosen(List<Columns> read, Metrics.CurvesOf question) {
    List<Metrics.Curve> curves = new ArrayList<>(read.size());
    for (Columns columns : read) {
      int from = columns.indexOf(question.from());
      int to =
          question.to() == Long.MAX_VALUE ? columns.length() : columns.indexOf(question.to() + 1);
      curves.add(curve(columns, from, Math.max(from, to), question.maxPoints()));
    }
    return curves;
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
}
