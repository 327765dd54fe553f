package io.orrery.compute.catalog;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Passes on what platforms say, and lets others overhear what happens. */
final class EventRelay implements PlatformListener {
  private final PlatformListener listener;
  private final List<Consumer<PlatformEvent>> ears = new CopyOnWriteArrayList<>();

  EventRelay(PlatformListener listener) {
    this.listener = listener;
  }

  void overhear(Consumer<PlatformEvent> ear) {
    ears.add(ear);
  }

  @Override
  public void happened(PlatformEvent event) {
    listener.happened(event);
    ears.forEach(ear -> ear.accept(event));
  }

  @Override
  public Future<Trials.Next> next(AttemptRef attempt, int index) {
    return listener.next(attempt, index);
  }

  @Override
  public Future<Void> reported(List<MetricPoint> points) {
    return listener.reported(points);
  }
}
