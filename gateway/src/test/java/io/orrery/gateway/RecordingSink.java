package io.orrery.gateway;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Outcome;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Takes points, and answers as the test says. */
public final class RecordingSink implements MetricSink {
  public final List<MetricPoint> points = new CopyOnWriteArrayList<>();
  public volatile Function<List<MetricPoint>, Future<Receipt>> answer =
      batch -> Future.succeededFuture(new Receipt(batch.size(), 0));

  @Override
  public Future<List<Outcome<Receipt>>> appendAll(List<List<MetricPoint>> batches) {
    return Future.all(
            batches.stream()
                .map(batch ->
                    take(batch).transform(taken -> Future.succeededFuture(Outcome.of(taken))))
                .toList())
        .map(CompositeFuture::list);
  }

  private Future<Receipt> take(List<MetricPoint> batch) {
    points.addAll(batch);
    return answer.apply(batch);
  }
}
