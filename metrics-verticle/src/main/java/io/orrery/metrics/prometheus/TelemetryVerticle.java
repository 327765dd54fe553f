package io.orrery.metrics.prometheus;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Tells Prometheus of this server, whichever of those that share a store has the metric log. */
public final class TelemetryVerticle extends VerticleBase {
  private final Bus bus;
  private final Meters meters;

  public TelemetryVerticle(Bus bus, Meters meters) {
    this.bus = bus;
    this.meters = meters;
  }

  @Override
  public Future<?> start() {
    StateGauges census = new StateGauges(bus, meters);
    ServiceCensus services = new ServiceCensus(bus, meters);
    return bus.serve(Metrics.SCRAPE, question -> scrape(census, services));
  }

  private Future<Metrics.Scraped> scrape(StateGauges census, ServiceCensus services) {
    return Future.join(census.refresh(), services.refresh())
        .otherwiseEmpty()
        .compose(counted -> vertx.executeBlocking(meters::scrape, false))
        .map(Metrics.Scraped::new);
  }
}
