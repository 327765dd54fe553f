package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Tracking.HistoryOf;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.orchestrator.experiment.store.TrialRunTable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the intermediate results of a trial that have a number of some name. It is read by
 * large pieces, however few points are wanted, because most points may be without that number; and
 * it ends after {@value #MOST_READ} points that were looked at, so that an answer costs no more
 * than that, whatever is found.
 */
final class TrialHistory {
  /** The points that are asked for at once. */
  static final int AT_ONCE = 10_000;

  /** The points that are looked at for one page. */
  static final int MOST_READ = 250_000;

  private final Bus bus;
  private final TrialRef trial;
  private final HistoryOf wanted;
  private final TrackedPoints points = new TrackedPoints();
  private @Nullable String cursor;
  private boolean atEnd;
  private int looked;

  TrialHistory(Bus bus, TrialRef trial, HistoryOf wanted) {
    this.bus = bus;
    this.trial = trial;
    this.wanted = wanted;
    this.cursor = wanted.cursor();
  }

  /** The points that were found. */
  TrackedPoints points() {
    return points;
  }

  /** Reads the page; completes with the cursor of the next, null after the last. */
  Future<@Nullable String> read() {
    return AsyncLoop.repeat(() -> read(AT_ONCE)).map(done -> atEnd ? null : cursor);
  }

  private Future<Boolean> read(int most) {
    return bus.request(Metrics.POINTS, new Metrics.PointsSince(trial, cursor, most))
        .compose(stretch -> {
          List<TrackedPoints.Point> found = new ArrayList<>();
          int enough = stretch.points().size();
          for (int i = 0; i < stretch.points().size(); i++) {
            TrackedPoints.Point point = point(stretch.points().get(i));
            if (point != null) {
              found.add(point);
              enough = found.size() == wanted.limit() - points.size() ? i + 1 : enough;
            }
          }
          if (enough < stretch.points().size() && enough < most) {
            // Only the end of a stretch has a cursor: this one is made to end where the page does.
            return read(enough);
          }
          found.forEach(point -> points.add(point.timestamp(), point.step(), point.value()));
          looked += stretch.points().size();
          atEnd = stretch.points().isEmpty();
          cursor = stretch.next();
          return Future.succeededFuture(
              !atEnd && points.size() < wanted.limit() && looked < MOST_READ);
        });
  }

  private TrackedPoints.@Nullable Point point(MetricPoint point) {
    Double number =
        point.kind() == MetricKind.INTERMEDIATE
            ? TrialRunTable.numbers(point.value()).get(wanted.metric())
            : null;
    return number == null ? null : new TrackedPoints.Point(point.time(), point.sequence(), number);
  }
}
