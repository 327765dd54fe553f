package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.TrialRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From lines to durable points. */
final class Intake {
  private final Bus bus;
  private final MetricSink sink;

  Intake(Bus bus, MetricSink sink) {
    this.bus = bus;
    this.sink = sink;
  }

  /**
   * Completes when all are durable. Refused whole, with the line, when one is for a trial or an
   * attempt that is not there.
   */
  Future<MetricSink.Receipt> append(List<MetricLine> lines) {
    return Attempts.of(bus, lines)
        .map(attempts -> points(lines, attempts))
        .compose(points ->
            points.isEmpty()
                ? Future.succeededFuture(new MetricSink.Receipt(0, 0))
                : sink.append(points));
  }

  private static List<MetricPoint> points(List<MetricLine> lines, Map<TrialRef, Integer> attempts) {
    List<MetricPoint> points = new ArrayList<>(lines.size());
    for (MetricLine line : lines) {
      int present = attempts.getOrDefault(line.trial(), 1);
      if (line.attempt() != null && line.attempt() > present) {
        throw new Problem.Refused(
                new Finding(
                    "/attempt",
                    "trial " + line.trial() + " is at attempt " + present,
                    line.number()))
            .toException();
      }
      points.add(line.point(present));
    }
    return points;
  }
}
