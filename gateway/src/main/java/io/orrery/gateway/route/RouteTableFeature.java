package io.orrery.gateway.route;

import io.orrery.gateway.feature.EdgeParts;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.service.RouterAddress;
import java.util.List;

/** The routes of the table of the serving router. */
public final class RouteTableFeature {
  private RouteTableFeature() {}

  /**
   * Its groups of routes.
   *
   * @param router where clients reach services
   */
  public static List<Api> apis(EdgeParts edge, RouterAddress router) {
    return List.of(
        new RouteApi(edge.bus(), edge.bodies()),
        new RouteEvents(edge.bus(), edge.clock(), edge.streams()),
        new RouteTicketApi(edge.bus(), router, edge.passes(), edge.clock()));
  }
}
