package io.orrery.orchestrator.status;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.vertx.core.Future;
import java.util.List;

/**
 * Listens to all platforms. News of one attempt are passed on in their order. News without a
 * consumer are dropped: an experiment that is opened later asks its platform for everything again.
 */
public final class StatusListener implements PlatformListener {
  private final Bus bus;
  private final MetricSink sink;

  /**
   * @param sink where reports go
   */
  public StatusListener(Bus bus, MetricSink sink) {
    this.bus = bus;
    this.sink = sink;
  }

  @Override
  public void happened(PlatformEvent event) {
    Statuses.tell(bus, event);
  }

  @Override
  public Future<Trials.Next> next(AttemptRef attempt, int index) {
    return bus.request(Trials.NEXT, new Trials.NextOf(attempt, index));
  }

  @Override
  public Future<Void> reported(List<MetricPoint> points) {
    return sink.append(points).mapEmpty();
  }
}
