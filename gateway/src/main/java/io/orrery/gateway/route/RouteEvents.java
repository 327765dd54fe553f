package io.orrery.gateway.route;

import io.orrery.core.bus.Bus;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.live.EventStreams;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * The API of events of the route table: {@code GET /routes/events}. The router is not polled while
 * no client listens.
 */
final class RouteEvents implements Api {
  private final Bus bus;
  private final Clock clock;
  private final EventStreams streams;
  private @Nullable RouteWatch routes;

  /**
   * @param streams in which clients listen
   */
  public RouteEvents(Bus bus, Clock clock, EventStreams streams) {
    this.bus = bus;
    this.clock = clock;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ApiRouter.V1 + "/routes/events",
        RouteNeed.SERVER,
        this::routes,
        EventStreams.LAST_EVENT_ID);
  }

  @Override
  public void close() {
    if (routes != null) {
      routes.close();
    }
  }

  private void routes(RoutingContext context) {
    String lastEventId = EventStreams.lastEventId(context);
    RouteWatch watch = routes == null ? new RouteWatch(bus, clock, streams) : routes;
    routes = watch;
    watch
        .known()
        .onSuccess(exists -> {
          if (!context.response().closed()) {
            streams.listen(context, watch.feed(), lastEventId, () -> letGo(watch));
          }
          letGo(watch);
        })
        .onFailure(missing -> {
          letGo(watch);
          context.fail(missing);
        });
  }

  private void letGo(RouteWatch watch) {
    if (watch.feed().idle() && watch.equals(routes)) {
      watch.close();
      routes = null;
    }
  }
}
