package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.vertx.core.Future;
import java.util.List;

/** The intermediate results of trials, as the metrics hold them. */
final class Curves {
  private final Bus bus;

  Curves(Bus bus) {
    this.bus = bus;
  }

  /** Of a trial's last attempt, by sequence. */
  Future<List<MetricPoint>> of(TrialRef trial) {
    return bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial, Integer.MAX_VALUE, null))
        .map(Metrics.Series::points);
  }

  /** The numbers of it. */
  static List<Double> numbers(List<MetricPoint> points) {
    return points.stream().map(point -> point.value().number()).toList();
  }
}
