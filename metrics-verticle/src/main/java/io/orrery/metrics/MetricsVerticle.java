package io.orrery.metrics;

import io.orrery.core.bus.Bus;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Problem;
import io.orrery.metrics.ingest.Ingest;
import io.orrery.metrics.query.Queries;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.SegmentLog;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The metrics module as one thing to deploy, once. Started, it serves the addresses of {@link
 * io.orrery.core.bus.contract.Metrics}; stopped, everything that was handed in is durable or has
 * been refused.
 */
public final class MetricsVerticle extends VerticleBase {
  private final Bus bus;
  private final Path directory;
  private final LogLimits limits;
  private volatile @Nullable SegmentLog log;
  private volatile @Nullable MetricSink sink;

  /**
   * @param directory where the log lives; made when it is not there
   */
  public MetricsVerticle(Bus bus, Path directory, LogLimits limits) {
    this.bus = bus;
    this.directory = directory;
    this.limits = limits;
  }

  /** The short path in, for callers in this process; refuses until the verticle has started. */
  public MetricSink sink() {
    return points -> {
      MetricSink ready = sink;
      return ready == null
          ? Future.failedFuture(new Problem.Broken("metrics are not started").toException())
          : ready.append(points);
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
    return SegmentLog.open(vertx, directory, limits, points -> Ingest.announce(bus, points))
        .compose(opened -> {
          log = opened;
          Ingest ingest = new Ingest(opened);
          sink = ingest;
          return Future.all(ingest.serve(bus), new Queries(vertx, opened).serve(bus));
        });
  }

  @Override
  public Future<?> stop() {
    SegmentLog open = log;
    return open == null ? Future.succeededFuture() : open.close();
  }
}
