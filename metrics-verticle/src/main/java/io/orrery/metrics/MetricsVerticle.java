package io.orrery.metrics;

import io.orrery.core.bus.Bus;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.metrics.ingest.Ingest;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.query.Queries;
import io.orrery.metrics.retention.Retention;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.orrery.metrics.store.SegmentLog;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/**
 * The log of all that is reported, to be deployed once, and by one server of those that share a
 * store. Started, it serves the addresses of {@link io.orrery.core.bus.contract.Metrics} but for
 * what each server tells of itself ({@link io.orrery.metrics.prometheus.TelemetryVerticle});
 * stopped, everything that was handed in is durable or has been refused.
 */
public final class MetricsVerticle extends VerticleBase {
  private final Bus bus;
  private final Future<LogPlace> place;
  private final LogLimits limits;
  private final Meters meters;
  private final Clock clock;
  private @Nullable Retention retention;
  private volatile @Nullable SegmentLog log;
  private volatile @Nullable MetricSink sink;

  /**
   * @param place where the log lives; waited for by the deployment
   */
  public MetricsVerticle(
      Bus bus, Future<LogPlace> place, LogLimits limits, Meters meters, Clock clock) {
    this.bus = bus;
    this.place = place;
    this.limits = limits;
    this.meters = meters;
    this.clock = clock;
  }

  /** The short path in, for callers in this process; refuses until the verticle has started. */
  public MetricSink sink() {
    return batches -> {
      MetricSink ready = sink;
      return ready == null
          ? Future.failedFuture(new Problem.Broken("metrics are not started").toException())
          : ready.appendAll(batches);
    };
  }

  /** Whether points can be stored; fails with why not. */
  public Future<Void> probe() {
    SegmentLog open = log;
    return open == null
        ? Future.failedFuture(new Problem.Broken("metrics are not started").toException())
        : open.probe();
  }

  @Override
  public Future<?> start() {
    return place
        .compose(known ->
            SegmentLog.open(
                vertx, known, limits, points -> Ingest.announce(bus, points), meters, clock))
        .compose(opened -> {
          log = opened;
          watch(opened);
          Ingest ingest = new Ingest(opened, meters);
          sink = ingest;
          retention = new Retention(bus, opened, clock);
          retention.start();
          return Future.all(ingest.serve(bus), new Queries(vertx, opened).serve(bus));
        });
  }

  private void watch(SegmentLog opened) {
    meters.watch(
        "metric.queue.points",
        null,
        "Points that wait to become durable",
        opened,
        SegmentLog::queuedPoints);
    meters.watch(
        "metric.queue",
        "bytes",
        "Bytes that wait to become durable",
        opened,
        SegmentLog::queuedBytes);
    meters.watch(
        "metric.segments.waiting",
        null,
        "Segments of the metric log that wait to be moved into chunks",
        opened,
        SegmentLog::waitingSegments);
    meters.watch(
        "metric.deletions",
        null,
        "Deleted experiments whose points still take disk",
        opened,
        SegmentLog::deletions);
  }

  @Override
  public Future<?> stop() {
    if (retention != null) {
      retention.stop();
    }
    SegmentLog open = log;
    return open == null ? Future.succeededFuture() : open.close();
  }
}
