package io.orrery.metrics;

import static io.orrery.metrics.store.Points.TRIAL;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink.Receipt;
import io.orrery.core.time.SystemClock;
import io.orrery.metrics.prometheus.Meters;
import io.orrery.metrics.prometheus.TelemetryVerticle;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a server, deployed as a server does it, with a log in a folder of its own. */
@ExtendWith(VertxExtension.class)
abstract class MetricsFixture {
  @TempDir Path directory;
  Vertx vertx;
  Bus bus;
  MetricsVerticle metrics;
  final Meters meters = new Meters();

  @BeforeEach
  final void deploy(Vertx injected) throws Exception {
    vertx = injected;
    bus = Bus.of(vertx);
    metrics =
        new MetricsVerticle(
            bus,
            Future.succeededFuture(new LogPlace.Files(directory)),
            LogLimits.DEFAULT,
            meters,
            new SystemClock(vertx));
    vertx.deployVerticle(metrics).await(20, SECONDS);
    vertx.deployVerticle(new TelemetryVerticle(bus, meters)).await(20, SECONDS);
  }

  static <T> T answer(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }

  final Receipt append(List<MetricPoint> points) throws Exception {
    return answer(bus.request(Metrics.APPEND, new Metrics.Append(points)));
  }

  final Metrics.Series seriesOf(int maxPoints, String key) throws Exception {
    return answer(bus.request(Metrics.SERIES, new Metrics.SeriesOf(TRIAL, maxPoints, key)));
  }

  final Metrics.Series seriesOf(int maxPoints) throws Exception {
    return answer(bus.request(Metrics.SERIES, new Metrics.SeriesOf(TRIAL, maxPoints, null)));
  }

  final Metrics.Curves curves(int maxPoints, long from, long to, TrialRef... trials)
      throws Exception {
    return answer(
        bus.request(Metrics.CURVES, new Metrics.CurvesOf(List.of(trials), maxPoints, from, to)));
  }
}
