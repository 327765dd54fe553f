package io.orrery.metrics.query;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.trial.TrialRef;
import io.orrery.metrics.store.Columns;
import io.orrery.metrics.store.MetricLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the trials that were looked at last. A page asks for the same chart again and
 * again, of which little is new: to read and decode all of it each time costs twenty times what
 * choosing its points does. Belongs to one event loop.
 */
final class Charts {
  /** About two million points; what was not asked for longest goes first. */
  private static final long MOST_BYTES = 48L << 20;

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
    List<MetricLog.Known> trials =
        question.trials().stream().map(trial -> new MetricLog.Known(trial, take(trial))).toList();
    return log.columns(trials)
        .compose(read ->
            vertx
                .executeBlocking(() -> chosen(read, question), false)
                .onSuccess(chosen -> keep(question.trials(), read)));
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
      kept.put(trials.get(i), now);
      bytes += now.bytes();
    }
    while (bytes > MOST_BYTES) {
      Map.Entry<TrialRef, Kept> eldest = kept.firstEntry();
      take(eldest.getKey());
    }
  }

  private static Metrics.Curves chosen(List<Columns> read, Metrics.CurvesOf question) {
    List<Metrics.Curve> curves = new ArrayList<>(read.size());
    for (Columns columns : read) {
      int from = columns.indexOf(question.from());
      int to =
          question.to() == Long.MAX_VALUE ? columns.length() : columns.indexOf(question.to() + 1);
      curves.add(curve(columns, from, Math.max(from, to), question.maxPoints()));
    }
    return new Metrics.Curves(curves);
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
