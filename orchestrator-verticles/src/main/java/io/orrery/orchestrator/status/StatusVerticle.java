package io.orrery.orchestrator.status;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformListener;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to all platforms. News of one attempt are passed on in their order. News that nobody
 * takes are dropped: an experiment that is opened later asks its platform for everything again.
 */
public final class StatusVerticle extends VerticleBase implements PlatformListener {
  private static final Logger LOG = LoggerFactory.getLogger(StatusVerticle.class);

  private final Bus bus;
  private final MetricSink sink;

  /** To be deployed before the first platform is opened. */
  public StatusVerticle(Bus bus, MetricSink sink) {
    this.bus = bus;
    this.sink = sink;
  }

  @Override
  public void happened(PlatformEvent event) {
    context.runOnContext(go -> pass(event));
  }

  @Override
  public Future<Trials.Next> next(AttemptRef attempt, int index) {
    return bus.request(Trials.NEXT, new Trials.NextOf(attempt, index));
  }

  @Override
  public Future<Void> reported(List<MetricPoint> points) {
    return sink.append(points).mapEmpty();
  }

  private void pass(PlatformEvent event) {
    AttemptRef attempt = event.attempt();
    bus.request(Statuses.CHANGED.of(attempt.trial().experiment()), new Statuses.Changed(event))
        .onFailure(failure -> LOG.debug("nobody took {}: {}", event, failure.getMessage()));
  }
}
