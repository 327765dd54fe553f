package io.orrery.gateway.metric;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.TrialRef;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code POST /metrics} and {@code GET …/trials/{t}/metrics}. */
public final class MetricApi implements Api {
  private static final int MAX_BATCH_BYTES = 8 << 20;

  private final Bus bus;
  private final MetricSink sink;
  private final RequestBody bodies;
  private final Clock clock;

  public MetricApi(Bus bus, MetricSink sink, RequestBody bodies, Clock clock) {
    this.bus = bus;
    this.sink = sink;
    this.bodies = bodies;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(ApiRouter.V1 + "/metrics", this::append);
    router.get(ApiRouter.V1 + "/experiments/:experiment/trials/:trial/metrics", this::series);
  }

  private Future<Reply> append(RoutingContext context) {
    BatchReader batch = new BatchReader(clock.millis());
    return bodies
        .pieces(context, MAX_BATCH_BYTES, batch::take)
        .compose(complete -> {
          List<MetricLine> lines = batch.lines();
          return Attempts.of(bus, lines).map(attempts -> points(lines, attempts));
        })
        .compose(points ->
            points.isEmpty()
                ? Future.succeededFuture(new MetricSink.Receipt(0, 0))
                : sink.append(points))
        .map(receipt ->
            Reply.ok(
                Json.MAPPER
                    .createObjectNode()
                    .put("accepted", receipt.accepted())
                    .put("duplicates", receipt.duplicates())));
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

  private Future<Reply> series(RoutingContext context) {
    Query query = Query.of(context, "key", "maxPoints");
    TrialRef trial = PathIds.trial(context);
    String key = query.text("key");
    int maxPoints = (int) query.integer("maxPoints", 1_000, 2, 10_000);
    return bus.request(Metrics.SERIES, new Metrics.SeriesOf(trial, maxPoints, key))
        .map(series -> Reply.ok(SeriesShape.of(trial, key, series)));
  }
}
