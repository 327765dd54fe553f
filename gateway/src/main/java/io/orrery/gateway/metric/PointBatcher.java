package io.orrery.gateway.metric;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands batches of many senders to the sink together. While one group is made durable the next one
 * gathers, so that a thousand senders of one point cost the store one call, one wake-up and one
 * answer, and not a thousand. Keeps the order. Belongs to one event loop.
 */
final class PointBatcher {
  /** One is being synced, and the next one is there when that is done. */
  private static final int LANES = 2;

  /** A group is not made larger than this; more than a sync takes in. */
  private static final int MOST_POINTS = 50_000;

  private record Batch(List<MetricPoint> points, Promise<MetricSink.Receipt> durable) {}

  private final MetricSink sink;
  private List<Batch> gathered = new ArrayList<>();
  private int points;
  private int busyLanes;
  private boolean held;

  PointBatcher(MetricSink sink) {
    this.sink = sink;
  }

  /** As {@link MetricSink#append}. */
  Future<MetricSink.Receipt> append(List<MetricPoint> batch) {
    Batch one = new Batch(batch, Promise.promise());
    gathered.add(one);
    points += batch.size();
    if ((busyLanes < LANES && !held) || points > MOST_POINTS) {
      send();
    }
    return one.durable().future();
  }

  /** Hands what is appended meanwhile to the sink as one. */
  void together(Runnable appends) {
    held = true;
    try {
      appends.run();
    } finally {
      held = false;
      sendIfFree();
    }
  }

  private void sendIfFree() {
    if (!gathered.isEmpty() && busyLanes < LANES) {
      send();
    }
  }

  private void send() {
    List<Batch> group = gathered;
    gathered = new ArrayList<>();
    points = 0;
    busyLanes++;
    sink.appendAll(group.stream().map(Batch::points).toList())
        .onComplete((outcomes, failure) -> {
          busyLanes--;
          sendIfFree();
          for (int i = 0; i < group.size(); i++) {
            Promise<MetricSink.Receipt> durable = group.get(i).durable();
            if (failure == null) {
              outcomes.get(i).toFuture().onComplete(durable);
            } else {
              durable.fail(failure);
            }
          }
        });
  }
}
