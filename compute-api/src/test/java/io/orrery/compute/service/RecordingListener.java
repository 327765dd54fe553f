package io.orrery.compute.service;

import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a platform says, in its order; stores points at once unless told to be busy. */
public final class RecordingListener implements PlatformListener {
  /** How many of the next batches are refused as Busy. */
  public final AtomicInteger busy = new AtomicInteger();

  private final List<PlatformEvent> events = new ArrayList<>();
  private final List<MetricPoint> points = new ArrayList<>();

  @Override
  public synchronized void happened(PlatformEvent event) {
    events.add(event);
  }

  @Override
  public synchronized Future<Void> reported(List<MetricPoint> batch) {
    if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return Future.failedFuture(
          new Problem.Busy("the queue is full", Duration.ofMillis(10)).toException());
    }
    boolean late =
        batch.stream()
            .map(MetricPoint::attempt)
            .distinct()
            .anyMatch(attempt -> !endedOf(attempt).isEmpty());
    if (late) {
      throw new AssertionError("reported after Ended: " + batch.getFirst());
    }
    points.addAll(batch);
    return Future.succeededFuture();
  }

  public synchronized List<PlatformEvent> events(AttemptRef attempt) {
    return events.stream().filter(event -> event.attempt().equals(attempt)).toList();
  }

  /** What happened to it, without what people were told besides. */
  public List<PlatformEvent> story(AttemptRef attempt) {
    return events(attempt).stream()
        .filter(event -> !(event instanceof PlatformEvent.Noted))
        .toList();
  }

  public synchronized List<MetricPoint> points(AttemptRef attempt) {
    return points.stream().filter(point -> point.attempt().equals(attempt)).toList();
  }

  public synchronized boolean started(AttemptRef attempt) {
    return events(attempt).stream().anyMatch(event -> event instanceof Started);
  }

  /** Waits for the end and gives it. */
  public Ended ended(AttemptRef attempt) throws Exception {
    Eventually.until("Ended of " + attempt, () -> !endedOf(attempt).isEmpty());
    return endedOf(attempt).getFirst();
  }

  public synchronized List<Ended> endedOf(AttemptRef attempt) {
    return events(attempt).stream()
        .filter(event -> event instanceof Ended)
        .map(Ended.class::cast)
        .toList();
  }
}
