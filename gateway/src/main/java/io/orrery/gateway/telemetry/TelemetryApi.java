package io.orrery.gateway.telemetry;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** The API {@code GET /metrics} in Prometheus's text format. */
public final class TelemetryApi implements Api {
  private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

  private final Bus bus;

  public TelemetryApi(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream("/metrics", RouteNeed.SERVER, this::scrape);
  }

  private void scrape(RoutingContext context) {
    bus.request(Metrics.SCRAPE, new Metrics.Scrape())
        .onSuccess(scraped ->
            context.response().putHeader(HttpHeaders.CONTENT_TYPE, TEXT_FORMAT).end(scraped.text()))
        .onFailure(context::fail);
  }
}
